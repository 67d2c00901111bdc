import 'server-only';
import { kubeObject } from '@/lib/contracts/objects';
import type { CreateUpgradeRequest } from '@/lib/contracts/upgrade-writes';
import type { Receipt } from '@/lib/contracts/writes';
import { redactObject } from '@/lib/domain/redact';
import {
  kubectlApply,
  kubectlMark,
  manifestOf,
  manifestYaml,
  rollsBackAnnotation,
  type UpgradeManifest,
} from '@/lib/domain/upgrades/manifest';
import { KubeError } from '@/server/kube/errors';
import { inTurn } from '../../in-turn';
import { once } from '../../once';
import { audited } from '../audited';
import type { KubeAnswer } from '../context';
import { mayWrite, type Right, refusedByCluster } from '../gate';
import { ok, type Result } from '../result';
import { checkTargets, refusePlan } from './check-plan';
import { upgradeKind, upgrades } from './live-upgrade';
import { makePlan } from './plan';
import { mark, post, sendUpgrade } from './send-upgrade';
import { refusedByHistory, type UpgradeContext } from './upgrade-context';

const right = { verb: 'create', resource: upgrades } as const satisfies Right;
const patchSandboxes = { verb: 'patch', resource: 'sandboxes' } as const satisfies Right;
const pause = { verb: 'patch', resource: upgrades } as const satisfies Right;

/** A guard pauses the operation as the person who set it: without that right it would stand armed and never act. */
const rightsFor = ({ targets, guard }: CreateUpgradeRequest['draft']): Right[] => [
  right,
  ...(targets.by === 'selection' ? [patchSandboxes] : []),
  ...(guard ? [pause] : []),
];

/**
 * Creates the operation that a draft stands for, if it would take no other sandboxes than the person saw. The API
 * server is asked by a dry run first, so that what it refuses is refused before anything is written: labels on single
 * sandboxes, the guard, the operation. A time-out is never tried again.
 */
export function createUpgrade(ctx: UpgradeContext, input: CreateUpgradeRequest): Promise<Result<Receipt>> {
  const { draft, dryRun } = input;
  const object = { kind: upgradeKind, namespace: draft.namespace, name: draft.name, uid: '' };
  const intent = {
    action: 'createUpgrade' as const,
    actor: ctx.principal.subject,
    object,
    before: null,
    after: {
      targets: input.frozen.length,
      strategy: draft.strategy,
      maxUnavailable: draft.maxUnavailable,
      change: draft.change.by,
      ...(draft.change.by === 'restore' ? { operation: draft.change.operation } : {}),
      ...(draft.paused ? { paused: true } : {}),
      ...(draft.guard ? { guard: draft.guard } : {}),
    },
    summary: `${draft.strategy} of ${input.frozen.length}, ${said(draft)}`,
    ...(input.reason ? { reason: input.reason } : {}),
    requestId: ctx.requestId,
  };
  return audited(ctx, dryRun, intent, async (id) => {
    for (const needed of rightsFor(draft)) {
      const allowed = await mayWrite(ctx, draft.namespace, needed);
      if (!allowed.ok) return allowed;
    }
    const created = await (dryRun
      ? checkAndCreate(ctx, input)
      : inTurn(creating(), draft.namespace, () => checkAndCreate(ctx, input)));
    if (!created.ok) return created;
    const { manifest, answer } = created.value;
    const { uid, resourceVersion, generation } = kubeObject.parse(answer.body).metadata;
    const shown = redactObject(manifest);
    return ok({
      id,
      at: ctx.now(),
      actor: ctx.principal.subject,
      dryRun,
      action: 'createUpgrade' as const,
      object: { ...object, uid },
      changed: true,
      before: null,
      after: shown,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(generation === undefined ? {} : { generation }),
      kubectl: `${kubectlMark(draft)}${kubectlApply(manifestYaml(shown))}`,
      warnings: answer.warnings,
    });
  });
}

/**
 * By namespace, where there is one operation at a time anyway: between the dry run of one and its creation, another of the
 * same name would mark sandboxes that it then takes.
 */
const creating = () => once('upgrades.creating', () => new Map<string, Promise<unknown>>());

const said = ({ change }: CreateUpgradeRequest['draft']) =>
  change.by === 'restore' ? `back to before ${change.operation.name}` : change.by === 'none' ? 'hooks only' : 'patch';

/** Lists tell a roll back by it. */
const marked = (manifest: UpgradeManifest, { change }: CreateUpgradeRequest['draft']): UpgradeManifest =>
  change.by === 'restore'
    ? { ...manifest, metadata: { ...manifest.metadata, annotations: { [rollsBackAnnotation]: change.operation.name } } }
    : manifest;

type Created = { manifest: UpgradeManifest; answer: KubeAnswer };

async function checkAndCreate(ctx: UpgradeContext, input: CreateUpgradeRequest): Promise<Result<Created>> {
  const { draft, frozen, dryRun } = input;
  const phase = { sent: false };
  try {
    const planned = await makePlan(ctx, draft);
    if (!planned.ok) return planned;
    const plan = planned.value;
    const held = checkTargets(plan, draft, frozen);
    if (!held.ok) return held;
    const manifest = marked(manifestOf(draft, plan.patch), draft);
    const answer = await post(ctx, manifest, true);
    const refused = refusePlan(plan.problems);
    if (!refused.ok) return refused;
    if (dryRun) {
      const markable = await mark(ctx, draft, plan, true);
      return markable.ok ? ok({ manifest, answer }) : markable;
    }
    const sent = await sendUpgrade(ctx, draft, plan, manifest, phase);
    return sent.ok ? ok({ manifest, answer: sent.value }) : sent;
  } catch (error) {
    if (!(error instanceof KubeError)) return refusedByHistory(error);
    return refusedByCluster(error, ctx, draft.namespace, right, phase);
  }
}
