import { z } from 'zod';
import type { RuntimeFault } from '../controllers/switches';
import { fault, type Targets } from './fault';

const params = z.strictObject({ namespace: z.string().optional() });

function add({ switches }: Targets, { namespace }: z.infer<typeof params>, what: RuntimeFault['what']) {
  const one: RuntimeFault = {
    what,
    concerns: ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
  };
  switches.runtime.add(one);
  return () => void switches.runtime.delete(one);
}

export const runtimeFaults = {
  'runtime-hook-fails': fault({
    title: 'Upgrade hooks fail',
    group: 'upgrade',
    does: 'Every hook of an upgrade exits with 3, several times a sandbox; the upgrade stops there.',
    ends: 'Hooks succeed again. Sandboxes that failed stay so until their next reconcile.',
    params,
    start: (targets, of) => add(targets, of, 'hookFails'),
  }),
  'runtime-hook-hangs': fault({
    title: 'Upgrade hooks hang',
    group: 'upgrade',
    does: 'Hooks give no answer until their time is over. Meanwhile the sandbox looks untouched: Running and Ready.',
    ends: 'Hooks that begin from then on answer.',
    params,
    start: (targets, of) => add(targets, of, 'hookHangs'),
  }),
  'runtime-init-fails': fault({
    title: 'The runtime cannot be initialised',
    group: 'resume',
    does: 'The call of /init is refused: claims lose the sandboxes they take, and claimed ones that resume stay not ready.',
    ends: 'The next try succeeds.',
    params,
    start: (targets, of) => add(targets, of, 'initFails'),
  }),
};
