import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PoolsPage } from '@/components/pools/pools-page';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pools');
  return { title: t('title') };
}

export default function Page() {
  return <PoolsPage />;
}
