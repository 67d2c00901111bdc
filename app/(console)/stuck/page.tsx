import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { StuckPage } from '@/components/stuck';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('stuck');
  return { title: t('title') };
}

export default function Page() {
  return <StuckPage />;
}
