import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { SandboxesPage } from '@/components/sandboxes';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('sandboxes');
  return { title: t('title') };
}

export default function Page() {
  return <SandboxesPage />;
}
