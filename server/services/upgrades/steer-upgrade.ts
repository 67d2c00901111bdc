import 'server-only';
import type { IntOrPercent } from '@/lib/contracts/rows';
import type { SteerUpgradeRequest } from '@/lib/contracts/upgrade-writes';
import type { JsonPatchOp, Receipt } from '@/lib/contracts/writes';
import { kubectlJsonPatch } from '@/lib/domain/kubectl';
import { KubeError } from '@/server/kube/errors';
import { audited } from '../audited';
import { fieldManager, type KubeAnswer, type ServiceContext } from '../context';
import { isFailedTest, mayWrite, type ObjectName, objectPath, type Right, refusedByCluster } from '../gate';
import { ok, type Result, refuse } from '../result';
import { writerOf } from '../writer';
import { type LiveUpgrade, liveUpgrade, readUpgrade, upgradeKind, upgrades } from './live-upgrade';

const right = { verb: 'patch', resource: upgrades } as const satisfies Right;

type Setting = { action: Receipt['action']; path: readonly string[]; from: unknown; to: unknown };

/**
 * Pauses, continues, or changes how many may be down at once. The JSON Patch tests the operation's uid and generation, so
 * that nobody else's change of the spec gets lost; status writes do not count. A time-out is never tried again.
 */
export function steerUpgrade(
  ctx: ServiceContext,
  name: ObjectName,
  input: SteerUpgradeRequest,
): Promise<Result<Receipt>> {
  const object = { kind: upgradeKind, ...name, uid: input.uid };
  const setting = settingOf(input);
  const field = setting.path.join('.');
  const intent = {
    action: setting.action,
    actor: ctx.principal.subject,
    object,
    before: { [field]: setting.from },
    after: { [field]: setting.to },
    summary: `${field.replace(/^spec\./, '')} ${said(setting.from)} → ${said(setting.to)}`,
    ...(input.reason ? { reason: input.reason } : {}),
    requestId: ctx.requestId,
  };
  return audited(ctx, input.dryRun, intent, async (id) => {
    const allowed = await mayWrite(ctx, name.namespace, right);
    if (!allowed.ok) return allowed;
    const sent = await checkAndPatch(ctx, name, input, setting);
    if (!sent.ok) return sent;
    const { live, patch, answer } = sent.value;
    const { resourceVersion, generation } = (answer ? liveUpgrade.parse(answer.body) : live).metadata;
    return ok({
      id,
      at: ctx.now(),
      actor: ctx.principal.subject,
      dryRun: input.dryRun,
      action: setting.action,
      object,
      changed: answer !== undefined,
      before: setting.from ?? null,
      after: setting.to,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(generation === undefined ? {} : { generation }),
      kubectl: kubectlJsonPatch(name.namespace, 'suo', name.name, patch),
      patch,
      warnings: answer?.warnings ?? [],
    });
  });
}

function settingOf({ change }: SteerUpgradeRequest): Setting {
  if (change.what === 'paused') {
    const action = change.to ? 'pauseUpgrade' : 'continueUpgrade';
    return { action, path: ['spec', 'paused'], from: change.from, to: change.to };
  }
  const path = ['spec', 'updateStrategy', 'maxUnavailable'];
  return { action: 'changeUpgradeLimit', path, from: change.from, to: change.to };
}

const said = (value: unknown) => (value === undefined ? 'not set' : String(value));

type Sent = { live: LiveUpgrade; patch: JsonPatchOp[]; answer?: KubeAnswer };

async function checkAndPatch(
  ctx: ServiceContext,
  name: ObjectName,
  input: SteerUpgradeRequest,
  setting: Setting,
  again = false,
): Promise<Result<Sent>> {
  const phase = { sent: false };
  try {
    const found = await readUpgrade(ctx, name, input.uid);
    if (!found.ok) return found;
    const live = found.value;
    const now = valueNow(live, input);
    if (now === setting.to) return ok({ live, patch: [] });
    const over = live.status?.phase;
    if (over === 'Completed' || over === 'Failed') {
      return refuse('precondition_failed', 'upgradeOver', { upgrade: name.name, phase: over }, { applied: 'no' });
    }
    if (now !== setting.from) return movedOn(name, live, setting, now);
    const patch = patchOf(live, input, setting);
    phase.sent = !input.dryRun;
    const answer = await ctx.cluster.client.request({
      method: 'PATCH',
      path: objectPath(upgrades, name),
      query: { fieldManager, ...(input.dryRun ? { dryRun: 'All' } : {}) },
      contentType: 'application/json-patch+json',
      body: patch,
      as: ctx.principal,
    });
    return ok({ live, patch, answer });
  } catch (error) {
    // Tested on the server, so sending it once more after the operation has moved is safe.
    const raced = (error instanceof KubeError && error.status === 409) || isFailedTest(error);
    if (raced && !again) return checkAndPatch(ctx, name, input, setting, true);
    return refusedByCluster(error, ctx, name.namespace, right, phase);
  }
}

/** spec.paused that is not written is false. */
function valueNow({ spec }: LiveUpgrade, { change }: SteerUpgradeRequest): boolean | IntOrPercent | undefined {
  return change.what === 'paused' ? (spec.paused ?? false) : spec.updateStrategy?.maxUnavailable;
}

function patchOf(live: LiveUpgrade, { uid, change }: SteerUpgradeRequest, { path, to }: Setting): JsonPatchOp[] {
  const { generation } = live.metadata;
  const whole = change.what === 'maxUnavailable' && live.spec.updateStrategy === undefined;
  return [
    { op: 'test', path: '/metadata/uid', value: uid },
    // RFC 6902 cannot test for absence, and an unset field is what people mostly saw.
    ...(generation === undefined ? [] : [{ op: 'test' as const, path: '/metadata/generation', value: generation }]),
    whole
      ? { op: 'add', path: '/spec/updateStrategy', value: { maxUnavailable: to } }
      : { op: 'add', path: `/${path.join('/')}`, value: to },
  ];
}

function movedOn(name: ObjectName, live: LiveUpgrade, { path, from }: Setting, now: unknown): Result<never> {
  const field = path.join('.');
  return refuse(
    'conflict',
    'settingChanged',
    { upgrade: name.name, field, now: said(now), seen: said(from), ...writerOf(live.metadata.managedFields, path) },
    { applied: 'no', fields: [{ field, message: said(now) }] },
  );
}
