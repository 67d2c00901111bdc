import { z } from 'zod';
import type { Pod } from '../controllers/client/objects';
import { configId } from '../kubelet/images';
import type { NodeFault } from '../kubelet/node-faults';
import { cordon } from './cordon';
import { fault, type Targets } from './fault';
import { nodeDown } from './node-down';

/** Which Pods: of one namespace, with one image. */
const pods = { namespace: z.string().optional(), image: z.string().optional().describe('part of an image name') };

const shared = { group: 'node' } as const;
const later = 'Pods that start from then on are not concerned; those that failed start again.';

function add(
  { switches }: Targets,
  { namespace, image }: { namespace?: string | undefined; image?: string | undefined },
  what: Partial<NodeFault>,
) {
  return switches.nodes.add({
    concerns: (pod: Pod) => namespace === undefined || pod.metadata.namespace === namespace,
    ...(image === undefined ? {} : { image }),
    ...what,
  });
}

/** A tag that is not the one of the spec, of the same content. */
const otherTag = (image: string) => `${image.replace(/(@.*|:[^/:]*)$/, '')}:same-content`;

export const nodeFaults = {
  'node-pull-error': fault({
    ...shared,
    title: 'Images cannot be pulled',
    does: 'Pods that start wait in ErrImagePull, then ImagePullBackOff. Nothing of it shows on their sandboxes.',
    ends: later,
    params: z.strictObject(pods),
    start: (targets, params) => add(targets, params, { pullFails: true }),
  }),
  'node-crash-loop': fault({
    ...shared,
    title: 'Containers crash',
    does: 'Main containers of Pods that start exit at once and end up in CrashLoopBackOff.',
    ends: later,
    params: z.strictObject(pods),
    start: (targets, params) => add(targets, params, { crashes: true }),
  }),
  'node-slow-start': fault({
    ...shared,
    title: 'Pods start slowly',
    does: 'Every start of a Pod takes longer.',
    ends: 'Pods start as fast as before; those that are starting still take their time.',
    params: z.strictObject({ namespace: pods.namespace, seconds: z.number().min(0).max(3600).default(20) }),
    start: (targets, { seconds, ...of }) => add(targets, of, { startMs: seconds * 1000 }),
  }),
  'node-other-image-name': fault({
    ...shared,
    title: 'Images are reported under another name',
    does: 'Nodes report init images by their id, or by another tag of the same content. Sandboxes that resume wait for ever.',
    ends: 'Pods that start from then on report the name in their spec; those that run keep what they said.',
    params: z.strictObject({ ...pods, as: z.enum(['digest', 'tag']).default('digest') }),
    start: (targets, { as, ...of }) => add(targets, of, { reportedAs: as === 'digest' ? configId : otherTag }),
  }),
  'node-unschedulable': fault({
    ...shared,
    title: 'No room for new Pods',
    does: 'Every node is cordoned: new Pods stay Pending. Nothing of it shows on their sandboxes.',
    ends: 'The nodes that were cordoned take Pods again.',
    params: z.strictObject({}),
    start: cordon,
  }),
  'node-down': fault({
    ...shared,
    title: 'A node goes down',
    does: 'The node falls silent and becomes NotReady; its Pods become not ready and are marked for deletion after a while, but do not go.',
    ends: 'The node is Ready again: Pods that were marked end, the others are ready.',
    params: z.strictObject({
      node: z.string().optional().describe('the one with the most Pods when absent'),
      evictAfterSeconds: z.number().min(0).max(3600).default(30),
    }),
    start: nodeDown,
  }),
};
