import { z } from 'zod';
import { controllerNames, type Switches } from '../controllers/switches';
import { type End, fault, type Targets } from './fault';
import { webhooksAway } from './webhook-faults';

const which = {
  controllers: z
    .array(z.enum(controllerNames))
    .min(1)
    .default([...controllerNames]),
  namespace: z.string().optional().describe('only its objects; absent: all of them'),
};

type Which = { controllers: readonly (typeof controllerNames)[number][]; namespace?: string | undefined };

function chosen(switches: Switches, { controllers }: Which) {
  return [...switches.controllers].filter(([name]) => controllers.includes(name)).map(([, queue]) => queue);
}

function hold({ switches }: Targets, of: Which): () => void {
  const held = (key: string) => of.namespace === undefined || key.startsWith(`${of.namespace}/`);
  const ends = chosen(switches, of).map((queue) => queue.hold(held));
  return () => {
    for (const end of ends) end();
  };
}

const shared = { group: 'controller' } as const;

export const controllerFaults = {
  'controllers-stopped': fault({
    ...shared,
    title: 'The controllers have stopped',
    does: 'Objects are accepted and nothing happens to them: the observed generation falls behind. The webhooks, of the same process, are away too, unless told otherwise or only one namespace is concerned.',
    ends: 'The controllers go on with what has waited.',
    params: z.strictObject({ ...which, webhooks: z.boolean().optional().describe('whether they go, too') }),
    start: (targets, { webhooks, ...of }): End => {
      const end = hold(targets, of);
      const all = of.namespace === undefined && of.controllers.length === controllerNames.length;
      const back = (webhooks ?? (all && targets.door !== undefined)) ? webhooksAway(targets) : () => undefined;
      return () => {
        back();
        end();
      };
    },
  }),
  'controllers-slow': fault({
    ...shared,
    title: 'The controllers are slow',
    does: 'Every look at an object takes longer, so work piles up.',
    ends: 'The controllers catch up.',
    params: z.strictObject({
      controllers: which.controllers,
      ms: z.number().int().min(1).max(60_000).default(2000).describe('added to each reconcile'),
    }),
    start: ({ switches }, { controllers, ms }) => {
      const all = chosen(switches, { controllers });
      for (const queue of all) queue.slowMs += ms;
      return () => {
        for (const queue of all) queue.slowMs -= ms;
      };
    },
  }),
  'controllers-fail-over': fault({
    ...shared,
    title: 'The controllers change their leader',
    does: 'Nobody leads until the lease has run out; the next leader then lists and looks at every object anew. Its events and metrics begin at one and at zero.',
    ends: 'The next leader begins at once.',
    // One process, which leads with all of its controllers or with none.
    params: z.strictObject({
      pauseSeconds: z.number().min(0).max(600).default(15).describe('what is left of the lease'),
    }),
    lasts: ({ pauseSeconds }) => pauseSeconds,
    start: (targets) => {
      const end = hold(targets, { controllers: controllerNames });
      let led: Promise<void> | undefined;
      return () => {
        led ??= targets.switches.newLeader().then(end);
        return led;
      };
    },
  }),
};
