import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PlanPage } from '@/components/upgrades/plan/plan-page';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('upgrade-plan');
  return { title: t('title') };
}

export default function Page() {
  return <PlanPage />;
}
