import type { ReactNode } from 'react';
import { Shell } from '@/components/shell';
import { version } from '@/package.json';

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return <Shell version={version}>{children}</Shell>;
}
