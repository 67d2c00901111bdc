import { z } from 'zod';
import { keyOf, type Pod, type Sandbox } from '../../controllers/client/objects';
import type { Cluster } from '../../controllers/cluster';
import { annotation } from '../../controllers/rules/keys';
import type { RuntimeInit, Runtimes } from '../runtime/contract';

const initRequestSchema = z.object({
  accessToken: z.string().optional(),
  envVars: z.record(z.string(), z.string()).default({}),
});

/** The runtimes in the Pods of sandboxes: they come with what the claim left for them, and end with their Pod. */
export class RuntimePods {
  readonly #spokenTo = new Set<string>();
  /** Pods whose runtime has died in them; Kubernetes sees nothing of that. */
  readonly #dead = new Set<string>();

  constructor(
    private readonly cluster: Cluster,
    private readonly runtimes: Runtimes,
  ) {
    cluster.pods.onChange((before, after) => {
      const last = after ?? before;
      if (last === undefined || (after !== undefined && !hasEnded(after))) return;
      this.#dead.delete(last.metadata.uid);
      if (this.#spokenTo.delete(last.metadata.uid)) void runtimes.kill(last.metadata.uid);
    });
  }

  /** Ends the runtime of a Pod that stays; it does not come back by itself. */
  async killRuntime(uid: string): Promise<void> {
    this.#dead.add(uid);
    await this.runtimes.kill(uid);
  }

  /** Ends those of all Pods that were spoken to, of one namespace or of all. */
  async killRuntimes(namespace?: string): Promise<void> {
    const pods = [...this.cluster.pods.list()].filter(
      ({ metadata }) =>
        this.#spokenTo.has(metadata.uid) && (namespace === undefined || metadata.namespace === namespace),
    );
    await Promise.all(pods.map(({ metadata }) => this.killRuntime(metadata.uid)));
  }

  /** Has them started again, without what was in them. */
  restartRuntimes(): void {
    for (const uid of this.#dead) this.#spokenTo.delete(uid);
    this.#dead.clear();
  }

  /** The Pod of a sandbox whose runtime answers, by its uid; undefined when nothing listens there. */
  init(sandbox: Sandbox): string | undefined {
    const pod = this.cluster.pods.get(keyOf(sandbox));
    if (pod === undefined || hasEnded(pod)) return undefined;
    const { uid } = pod.metadata;
    if (this.#dead.has(uid)) return undefined;
    if (this.#spokenTo.has(uid)) return uid;
    this.#spokenTo.add(uid);
    this.runtimes.init(uid, initOf(sandbox));
    return uid;
  }
}

/** From the moment of its deletion its processes are ended. */
const hasEnded = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined || status?.phase === 'Failed' || status?.phase === 'Succeeded';

/** What the manager sends to `/init` at the claim, and the controller again after a resume (recorded: runtime-init). */
function initOf({ metadata }: Sandbox): RuntimeInit {
  const text = metadata.annotations?.[annotation.initRequest];
  if (text === undefined) return { token: undefined, env: {} };
  const { accessToken, envVars } = initRequestSchema.parse(JSON.parse(text));
  return { token: accessToken, env: envVars };
}
