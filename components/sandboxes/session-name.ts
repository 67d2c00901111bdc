import type { SandboxRow } from '@/lib/contracts/rows';

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Owners are often UUIDs of a key or a claim: their first part tells them apart in a column. */
export function shortOwner(owner: string): string {
  return uuid.test(owner) ? `${owner.slice(0, 8)}…` : owner;
}

/** Who uses a sandbox, for one cell; a claim's name says more than the uid it is owned by. Undefined: nobody. */
export function sessionName(row: Pick<SandboxRow, 'owner' | 'claimName'>): string | undefined {
  const { owner, claimName } = row;
  if (claimName === undefined) return owner === undefined ? undefined : shortOwner(owner);
  return owner === undefined || uuid.test(owner) ? claimName : `${owner}/${claimName}`;
}
