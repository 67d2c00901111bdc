import { isConflict } from '../../controllers/client/api';
import { type Sandbox, sandboxSchema } from '../../controllers/client/objects';
import { objectPath, resources } from '../../controllers/client/resources';
import type { Manager } from './call';

const attempts = 5;

/**
 * Changes a sandbox in one write, on what is there then: `change` gives the merge patch for it, or undefined when there is
 * nothing to do. Resolves when the local copy shows it.
 */
export async function changeSandbox(
  manager: Manager,
  sandbox: Sandbox,
  change: (sandbox: Sandbox) => { metadata?: object; spec?: object } | undefined,
): Promise<Sandbox> {
  const path = objectPath(resources.sandboxes, sandbox);
  let current = sandbox;
  for (let left = attempts; ; left -= 1) {
    const body = change(current);
    if (body === undefined) return current;
    const { resourceVersion } = current.metadata;
    try {
      const answer = await manager.cluster.api.patch(path, {
        ...body,
        metadata: { ...body.metadata, resourceVersion },
      });
      const written = sandboxSchema.parse(answer);
      await manager.waits.shows(sandbox, written);
      return written;
    } catch (error) {
      if (!isConflict(error) || left === 1) throw error;
      current = sandboxSchema.parse(await manager.cluster.api.get(path));
    }
  }
}
