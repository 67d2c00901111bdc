import 'server-only';
import type { SandboxPodsReply } from '@/lib/contracts/sandbox-writes';
import type { Cluster } from '@/server/kube/cluster';
import { type ViewQuestion, viewOf } from '../live/view';
import { ok, type Result } from '../result';

/** The Pods that sandboxes have now, as the console's own watch shows them: whoever sees a sandbox sees its Pod with it. */
export async function readPods(
  cluster: Pick<Cluster, 'row' | 'podOf'>,
  question: ViewQuestion,
  uids: readonly string[],
): Promise<Result<SandboxPodsReply>> {
  const { sees } = await viewOf(question);
  const pods: SandboxPodsReply['pods'] = {};
  for (const uid of uids) {
    const row = cluster.row('sandboxes', uid);
    const pod = row && sees('sandboxes', row.ns) ? cluster.podOf(row) : undefined;
    if (pod) pods[uid] = pod.uid;
  }
  return ok({ pods });
}
