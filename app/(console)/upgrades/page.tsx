import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { UpgradesPage } from '@/components/upgrades/upgrades-page';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('upgrades');
  return { title: t('title') };
}

export default function Page() {
  return <UpgradesPage />;
}
