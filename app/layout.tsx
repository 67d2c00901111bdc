import './globals.css';
import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { messagesOf } from '@/lib/i18n/messages';
import { readRequestPreferences } from '@/lib/i18n/request-preferences';
import { Providers } from './providers';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell');
  return {
    title: { default: t('product'), template: `%s · ${t('product')}` },
    description: t('description'),
    icons: { icon: '/favicon.svg' },
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f4f6f8' },
    { media: '(prefers-color-scheme: dark)', color: '#0a0c10' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const preferences = await readRequestPreferences();
  return (
    // next-themes sets data-theme before the first paint, which the server cannot know.
    <html
      lang={preferences.locale}
      data-density={preferences.density}
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <body>
        <Providers preferences={preferences} messages={messagesOf(preferences.locale)}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
