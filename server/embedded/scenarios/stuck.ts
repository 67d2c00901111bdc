import type { Api } from '../controllers/client/api';
import { findCondition } from '../controllers/rules/conditions';
import { browserTools } from './pools';
import { claim, listSandboxes, patch } from './sessions';

const label = 'journey';
const value = 'checkout';

/** Two claimed browsers that were paused and asked to come back: their runtime image is pinned by digest, so they never do. */
export async function stuckResumes(api: Api): Promise<void> {
  const members = await listSandboxes(api, browserTools.namespace, `${label}=${value}`);
  if (members.length === 0) {
    await claim(api, browserTools, 'checkout-watch', 2, { [label]: value, user: 'ana.souza' });
    return;
  }
  for (const sandbox of members) {
    const paused = findCondition(sandbox.status?.conditions, 'SandboxPaused')?.status === 'True';
    if (sandbox.status?.phase === 'Running' && sandbox.spec.paused !== true && paused === false)
      await patch(api, sandbox, { spec: { paused: true } });
    else if (sandbox.status?.phase === 'Paused' && paused) await patch(api, sandbox, { spec: { paused: false } });
  }
}
