import type { PoolRow, UpgradeRow } from '@/lib/contracts/rows';
import { diagnose } from '@/lib/domain/diagnosis/diagnose';
import { diagnoseOperation } from '@/lib/domain/diagnosis/operations/diagnose-operation';
import { diagnoseCheckpoint } from '@/lib/domain/diagnosis/others/checkpoint';
import { diagnoseClaim } from '@/lib/domain/diagnosis/others/claim';
import { diagnosePool } from '@/lib/domain/diagnosis/pools/diagnose-pool';
import type { Verdict } from '@/lib/domain/diagnosis/verdict';
import { standardLimits } from '@/lib/domain/limits';
import { templateRefOf } from '@/lib/domain/sandbox-asks';
import { projectClaim } from '@/server/kube/rows';
import { defined, Neighbours } from './neighbours';
import { keyOf, type World, type WorldObject } from './world';

/** Verdicts on every sandbox, pool, operation, claim and checkpoint of a world, in this order. */
export function verdictsOf(world: World): Verdict[] {
  const at = new Neighbours(world);
  const { objects } = world;
  return [
    ...[...objects.sandboxes.values()].map((object) => sandboxVerdict(world, at, object)),
    ...at.pools.map((pool) => poolVerdict(world, at, pool)),
    ...at.operations.map((op) => operationVerdict(world, at, op)),
    ...[...objects.sandboxclaims.values()].flatMap((object) => claimVerdict(world, at, object)),
    ...[...objects.checkpoints.values()].map((object) => diagnoseCheckpoint(object, world.now)),
  ];
}

function sandboxVerdict(world: World, at: Neighbours, sandbox: WorldObject): Verdict {
  const key = keyOf(sandbox);
  const ns = sandbox.metadata.namespace ?? '';
  const pod = world.objects.pods.get(key) ?? (world.complete.has('pods') ? null : undefined);
  const poolName = at.rows.get(key)?.pool;
  return diagnose({
    sandbox,
    now: world.now,
    limits: standardLimits,
    clockSkew: world.skew,
    ...defined({
      pod,
      node: at.nodeOf(pod),
      events: at.eventsOf(sandbox),
      pool: at.pools.find((pool) => pool.ns === ns && pool.name === poolName),
      template: at.templateOf(ns, templateRefOf(sandbox)),
      operations: at.known('sandboxupdateops', () => at.operationsOf(ns)),
      checkpoints: at.known('checkpoints', (all) => all.filter(inNamespace(ns))),
      siblings: at.membersOf(ns, poolName),
      observed: world.observed.get(key),
    }),
  });
}

function poolVerdict(world: World, at: Neighbours, pool: PoolRow): Verdict {
  const { objects } = world;
  const key = `${pool.ns}/${pool.name}`;
  const object = objects.sandboxsets.get(key);
  return diagnosePool({
    pool,
    pools: at.pools,
    now: world.now,
    limits: standardLimits,
    ...defined({
      object,
      // Of those that are there some may be missing; that there are none has to be known.
      members: at.membersOf(pool.ns, pool.name) ?? (world.complete.has('sandboxes') ? [] : undefined),
      pods: at.known('pods', (all) => all.filter(inNamespace(pool.ns))),
      template: at.templateOf(pool.ns, pool.templateRef),
      templates: at.known('sandboxtemplates', (all) => all.filter(inNamespace(pool.ns))),
      events: object && at.eventsOf(object),
      autoscalers: at.known('poolautoscalers', (all) => all.filter(inNamespace(pool.ns))),
    }),
  });
}

function operationVerdict(world: World, at: Neighbours, op: UpgradeRow): Verdict {
  const object = world.objects.sandboxupdateops.get(`${op.ns}/${op.name}`);
  return diagnoseOperation({
    op,
    rows: [...at.rows.values()].filter((row) => row.ns === op.ns && row.op === op.name),
    operations: at.operationsOf(op.ns),
    now: world.now,
    ...defined({
      object,
      events: object && at.eventsOf(object),
      sandboxes: at.known('sandboxes', (all) => all.filter(inNamespace(op.ns))),
    }),
  });
}

function claimVerdict(world: World, at: Neighbours, object: WorldObject): Verdict[] {
  const claim = projectClaim(object);
  if (!claim) return [];
  const here = (row: { ns: string }) => row.ns === claim.ns;
  const verdict = diagnoseClaim({
    claim,
    object,
    now: world.now,
    ...defined({
      events: at.eventsOf(object),
      sandboxes: at.known('sandboxes', () => [...at.rows.values()].filter(here)),
      pools: at.known('sandboxsets', () => at.pools.filter(here)),
    }),
  });
  return [verdict];
}

const inNamespace = (ns: string) => (object: WorldObject) => (object.metadata.namespace ?? '') === ns;
