import { z } from 'zod';
import { startApiServer } from '@/server/embedded/apiserver/server';
import { Api, isNotFound } from '@/server/embedded/controllers/client/api';
import { connectUrl } from '@/server/embedded/controllers/connect';
import { runControllers } from '@/server/embedded/controllers/run';
import { Switches } from '@/server/embedded/controllers/switches';
import { ApiDoor } from '@/server/embedded/faults/api-door';
import { Faults } from '@/server/embedded/faults/registry';
import { fastDelays } from '@/server/embedded/kubelet/options';
import { Scenarios } from '@/server/embedded/scenarios/manager';
import { ensureNamespace, ensureNodes } from '@/server/embedded/scenarios/objects';
import { Stage } from '@/server/embedded/scenarios/traps/stage';
import { Watcher } from '../play';
import { type Plural, plurals, readObject, type World, type WorldObject } from '../world';

const list = z.looseObject({ items: z.array(z.looseObject({})) });

const group: Readonly<Partial<Record<Plural, string>>> = { pods: 'api/v1', events: 'api/v1', nodes: 'api/v1' };

/** What a cluster has at one moment, with its kind. */
export interface Snapshot {
  objects: { plural: Plural; object: WorldObject }[];
  /** Epoch ms. */
  at: number;
}

/** A cluster in this process in which trap scenarios are started. */
export async function startLabelled() {
  const server = await startApiServer({ port: 0 });
  const connection = connectUrl(server.url);
  const api = new Api(connection);
  const switches = new Switches();
  const ending = new AbortController();
  const delays = { ...fastDelays, pullBackOff: 500, crashBackOff: 200 };
  const running = await runControllers({ api: connection, signal: ending.signal, delays, switches });
  const faults = new Faults({ door: new ApiDoor(server), switches, api, controlPlane: true });
  const scenarios = new Scenarios(connection, faults);
  return {
    /** What it does to a namespace of its own, and the faults that it starts. */
    stage: async (namespace: string): Promise<Stage> => {
      await ensureNamespace(api, namespace);
      await ensureNodes(api, 2);
      return new Stage(api, namespace, faults, ending.signal, namespace, []);
    },
    /** Starts one and waits until it stands. @throws Error when it does not. */
    stand: async (name: string) => {
      await scenarios.start(name).started;
      const { phase, message } = scenarios.state(name);
      if (phase !== 'standing') throw new Error(`${name} ${phase}: ${message}`);
    },
    snapshot: async (): Promise<Snapshot> => {
      const objects: Snapshot['objects'] = [];
      for (const plural of plurals) {
        const path = `/${group[plural] ?? 'apis/agents.kruise.io/v1alpha1'}/${plural}`;
        const answer = await api.get(path).catch((error: unknown) => {
          if (isNotFound(error)) return { items: [] };
          throw error;
        });
        for (const item of list.parse(answer).items) {
          const object = readObject(item);
          if (object) objects.push({ plural, object });
        }
      }
      return { objects, at: Date.now() };
    },
    close: async () => {
      scenarios.close();
      await running.stop();
      api.close();
      await server.close();
    },
  };
}

/** What somebody who has watched since then has in hand `seconds` later, of some namespaces and all that has none. */
export function worldOf({ objects, at }: Snapshot, namespaces: readonly string[], seconds: number): World {
  const watcher = new Watcher();
  const isIn = (namespace: string) => namespaces.some((each) => namespace === each || namespace.startsWith(`${each}-`));
  for (const { plural, object } of objects) {
    const { namespace } = object.metadata;
    if (namespace === undefined || isIn(namespace)) watcher.see(plural, object, false, at);
  }
  return { ...watcher.world, complete: new Set(plurals), now: at + seconds * 1000, skew: 0 };
}
