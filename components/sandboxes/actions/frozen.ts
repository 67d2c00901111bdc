import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxAction, SandboxTarget } from '@/lib/contracts/sandbox-writes';

/** As they were when the question was asked: another one of the name, or in other hands, is another one. */
export function frozen(action: SandboxAction, rows: readonly SandboxRow[]): SandboxTarget[] {
  return rows.map(({ ns, name, uid, owner, shutdownAt, pauseAt }) => ({
    ns,
    name,
    uid,
    seen: {
      owner: owner ?? null,
      ...(action === 'setDeadline' ? { shutdownAt: shutdownAt ?? null, pauseAt: pauseAt ?? null } : {}),
    },
  }));
}
