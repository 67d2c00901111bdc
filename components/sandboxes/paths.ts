import { objectHref } from '@/components/shell/navigation';
import type { SandboxRow } from '@/lib/contracts/rows';

type Named = Pick<SandboxRow, 'ns' | 'name'>;

export const sandboxPath = ({ ns, name }: Named) => objectHref('sandboxes', ns, name);
export const poolPath = (ns: string, pool: string) => objectHref('pools', ns, pool);
export const upgradePath = (ns: string, op: string) => objectHref('upgrades', ns, op);
/** The triage page, reading this sandbox. */
export const stuckPath = ({ ns, name }: Named) => `/stuck?peek=${encodeURIComponent(`${ns}/${name}`)}`;

/** Of a row in a list; a namesake with another uid is another row. */
export const rowId = ({ ns, name, uid }: Pick<SandboxRow, 'ns' | 'name' | 'uid'>) => `${ns}/${name}/${uid}`;
