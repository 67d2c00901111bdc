import type { Metadata } from 'next';
import { UpgradePage } from '@/components/upgrades/upgrade-page';

type Props = { params: Promise<{ namespace: string; name: string }> };

async function named({ params }: Props) {
  const { namespace, name } = await params;
  return { ns: decodeURIComponent(namespace), name: decodeURIComponent(name) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await named(props)).name };
}

export default async function Page(props: Props) {
  return <UpgradePage {...(await named(props))} />;
}
