import type { EventRow } from '@/lib/contracts/objects';
import type { PoolRow, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import { templateInits } from '@/lib/domain/diagnosis/next-pod';
import { indexByPool, poolKey } from '@/lib/domain/pools';
import { record, text } from '@/lib/domain/read';
import { templateRefOf } from '@/lib/domain/sandbox-asks';
import {
  digestPod,
  projectNode,
  projectPool,
  projectSandbox,
  projectUpgrade,
  withReferenced,
} from '@/server/kube/rows';
import { eventRows } from '@/server/services/objects/event-rows';
import { keyOf, type Plural, type World, type WorldObject } from './world';

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without its undefined entries: "not known" is a field that is not there. */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** Rows and events of a world, as the console has them beside a whole object. */
export class Neighbours {
  readonly rows: ReadonlyMap<string, SandboxRow>;
  readonly pools: readonly PoolRow[];
  readonly operations: readonly UpgradeRow[];
  #world: World;
  #events = new Map<string, unknown[]>();
  #members: ReadonlyMap<string, SandboxRow[]>;

  constructor(world: World) {
    this.#world = world;
    const { objects } = world;
    for (const event of objects.events.values()) {
      const { kind, uid, namespace, name } = record(event.involvedObject);
      const about = `${text(kind)} ${text(uid) ?? `${text(namespace)}/${text(name)}`}`;
      this.#events.set(about, [...(this.#events.get(about) ?? []), event]);
    }
    this.rows = new Map(
      [...objects.sandboxes].flatMap(([key, object]) => {
        const pod = objects.pods.get(key);
        const { namespace = '' } = object.metadata;
        const referenced = this.#initsOf(namespace, templateRefOf(object));
        const row = projectSandbox(object, digestPod(pod), world.observed.get(key), this.nodeOf(pod), undefined, {
          referenced,
        });
        return row ? [[key, row] as const] : [];
      }),
    );
    this.#members = indexByPool(this.rows.values());
    this.pools = [...objects.sandboxsets].flatMap(([key, object]) => {
      const row = projectPool(object);
      if (!row) return [];
      const belowSince = world.below.get(key);
      const scaledAt = world.scaled.get(key);
      const referenced = this.#initsOf(row.ns, row.templateRef);
      return [{ ...withReferenced(row, referenced), ...defined({ belowSince, scaledAt }) }];
    });
    this.operations = [...objects.sandboxupdateops.values()].flatMap((object) => {
      const row = projectUpgrade(object);
      if (!row) return [];
      // kubectl leaves managedFields out, which would tell; each change of a phase leaves an event.
      const changedAt = row.changedAt ?? world.changed.get(row.uid) ?? this.eventsOf(object)?.[0]?.at;
      return [{ ...row, ...defined({ changedAt }) }];
    });
  }

  /** Null: there is none of that name. */
  templateOf(ns: string, name: string | undefined): WorldObject | null | undefined {
    if (name === undefined) return undefined;
    const missing = this.#world.complete.has('sandboxtemplates') ? null : undefined;
    return this.#world.objects.sandboxtemplates.get(`${ns}/${name}`) ?? missing;
  }

  /** Init containers of a SandboxTemplate; null: there is none of that name. */
  #initsOf(ns: string, name: string | undefined) {
    const template = this.templateOf(ns, name);
    return template === null ? null : templateInits(template);
  }

  operationsOf(ns: string): UpgradeRow[] {
    return this.operations.filter((op) => op.ns === ns);
  }

  /** Sandboxes of a pool, claimed ones included. */
  membersOf(ns: string, pool: string | undefined): SandboxRow[] | undefined {
    return pool === undefined ? undefined : this.#members.get(poolKey(ns, pool));
  }

  /** What a kind gives, when all of its objects are there. */
  known<T>(kind: Plural, of: (all: WorldObject[]) => T): T | undefined {
    return this.#world.complete.has(kind) ? of([...this.#world.objects[kind].values()]) : undefined;
  }

  nodeOf(pod: WorldObject | null | undefined) {
    const name = text(record(pod?.spec).nodeName);
    return name === undefined ? undefined : projectNode(this.#world.objects.nodes.get(`/${name}`));
  }

  /** Newest first. */
  eventsOf(object: WorldObject): EventRow[] | undefined {
    if (!this.#world.complete.has('events')) return undefined;
    const { uid } = object.metadata;
    const kind = object.kind ?? '';
    const items = [
      ...(this.#events.get(`${kind} ${uid}`) ?? []),
      ...(this.#events.get(`${kind} ${keyOf(object)}`) ?? []),
    ];
    return eventRows({ items }, () => true);
  }
}
