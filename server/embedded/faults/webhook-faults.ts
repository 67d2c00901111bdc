import { z } from 'zod';
import { WEBHOOK_KINDS } from '../apiserver/admission/webhooks';
import { ControlError, fault, type Targets } from './fault';

/** Nothing listens where the webhooks (of some kinds) were, until the returned function is called. */
export function webhooksAway({ door }: Targets, kinds: readonly string[] = WEBHOOK_KINDS): () => void {
  if (door === undefined) throw new ControlError(409, 'The webhooks of another cluster cannot be made to fail.');
  return door.takeWebhooks(kinds);
}

export const webhookFaults = {
  'webhooks-down': fault({
    title: 'The webhooks cannot be reached',
    group: 'webhook',
    does: 'Creating and editing pools, templates and updates answers 500 "failed calling webhook". Scaling by the subresource, pausing and deleting still work, and nobody protects the Pods of sandboxes.',
    ends: 'The webhooks answer again; what was refused is not made up for.',
    needsDoor: true,
    params: z.strictObject({
      kinds: z
        .array(z.enum(WEBHOOK_KINDS))
        .min(1)
        .default([...WEBHOOK_KINDS]),
    }),
    start: (targets, { kinds }) => webhooksAway(targets, kinds),
  }),
};
