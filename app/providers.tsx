'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { NextIntlClientProvider } from 'next-intl';
import { ThemeProvider } from 'next-themes';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, useState } from 'react';
import { Announcer, TooltipProvider } from '@/components/ui';
import { type AppMessages, type Preferences, PreferencesProvider } from '@/lib/i18n';

/** What every page stands on. A message that is missing in both languages shows as an ellipsis, never as its key. */
export function Providers({
  preferences,
  messages,
  children,
}: {
  preferences: Preferences;
  messages: AppMessages;
  children: ReactNode;
}) {
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } }),
  );
  return (
    <ThemeProvider attribute="data-theme" defaultTheme="system" disableTransitionOnChange>
      <NextIntlClientProvider
        locale={preferences.locale}
        messages={messages}
        timeZone={preferences.timeZone}
        getMessageFallback={() => '…'}
      >
        <NuqsAdapter>
          <QueryClientProvider client={queries}>
            <PreferencesProvider initial={preferences}>
              <TooltipProvider delayDuration={400}>{children}</TooltipProvider>
              <Announcer />
            </PreferencesProvider>
          </QueryClientProvider>
        </NuqsAdapter>
      </NextIntlClientProvider>
    </ThemeProvider>
  );
}
