import type { SandboxRow } from '@/lib/contracts/rows';

/** Changes when a sandbox begins another stay. */
export const stayVersion = ({ state, stage, gate, since }: SandboxRow): string => [state, stage, gate, since].join('|');
