import { describe, expect, it } from 'vitest';
import type { PoolRow, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import { makeAudit } from '../../history/audit';
import { makeLog } from '../../log';
import { listActions } from './list-actions';

const principal = { subject: 'mara' };
const object = { kind: 'SandboxSet', namespace: 'lab', name: 'web', uid: 'u-1' };
const scale = { action: 'scalePool', before: { replicas: 3 }, after: { replicas: 12 } };
const image = 'spec.containers[sandbox].image';
const template = { action: 'patchPoolTemplate', before: { [image]: 'code:v1' }, after: { [image]: 'code:v2' } };

function lost(change: typeof scale | typeof template, row: Partial<PoolRow>, after = 0) {
  let now = 0;
  const lines: Record<string, unknown>[] = [];
  const audit = makeAudit(makeLog({ write: (line: string) => void lines.push(JSON.parse(line)) }), () => now);
  const intent = { ...change, actor: 'mara', object, summary: 's', requestId: 'r' };
  audit.conclude('r-1', intent, { result: 'unknown', message: 'no answer' });
  now = after;
  const pool: PoolRow = { uid: 'u-1', ns: 'lab', name: 'web', desired: 3, images: [], ...row };
  let shown: PoolRow | undefined = pool;
  const list = () => {
    const result = listActions(
      { audit, principal, poolOf: () => shown, upgradeOf: () => undefined, sandboxOf: () => undefined },
      { maySee: () => true },
    );
    return result.ok ? result.value.actions[0] : undefined;
  };
  const first = list();
  shown = undefined;
  return { first, later: list(), keys: lines.map(({ key }) => key) };
}

describe('listActions', () => {
  it('settles a write whose answer was lost once the watch shows what it wanted, for good', () => {
    const { first, later, keys } = lost(scale, { desired: 12 });
    expect(first).toMatchObject({ id: 'r-1', result: 'observed' });
    expect(first).not.toHaveProperty('message');
    expect(later).toEqual(first);
    expect(keys).toEqual(['audit.outcome', 'audit.observed']);
    const images = [{ name: 'sandbox', image: 'code:v2' }];
    expect(lost(template, { images }).first?.result).toBe('observed');
  });

  it('leaves it open while the pool shows something else, or is another one', () => {
    expect(lost(scale, {}).first).toMatchObject({ result: 'unknown', message: 'no answer' });
    expect(lost(scale, { desired: 12, uid: 'u-2' }).first?.result).toBe('unknown');
    expect(lost(template, { images: [{ name: 'sandbox', image: 'code:v1' }] }).first?.result).toBe('unknown');
    // Much later it may be anybody's doing.
    expect(lost(scale, { desired: 12 }, 3_600_000).first?.result).toBe('unknown');
    const more = { ...template, after: { ...template.after, 'spec.x': '1' } };
    expect(lost(more, { images: [{ name: 'sandbox', image: 'code:v2' }] }).first?.result).toBe('unknown');
  });
});

describe('writes on upgrades', () => {
  const up = { kind: 'SandboxUpdateOps', namespace: 'lab', name: 'up', uid: 'u-1' };
  const row: UpgradeRow = {
    uid: 'u-1',
    ns: 'lab',
    name: 'up',
    phase: 'Updating',
    strategy: 'Recreate',
    selector: 'a=b',
    hasPatch: true,
    taken: true,
    maxUnavailable: 1,
  };
  const limit = 'spec.updateStrategy.maxUnavailable';

  it.each([
    ['pauseUpgrade', { 'spec.paused': true }, { ...row, paused: true as const }, row],
    ['continueUpgrade', { 'spec.paused': false }, row, { ...row, paused: true as const }],
    ['changeUpgradeLimit', { [limit]: '20%' }, { ...row, maxUnavailable: '20%' }, row],
    ['deleteUpgrade', null, undefined, row],
    ['deleteUpgrade', null, { ...row, deleting: 1 }, row],
  ])('%s that lost its answer is settled by the row', (action, after, done, open) => {
    const resultOf = (shown: UpgradeRow | undefined, uid = 'u-1') => {
      const audit = makeAudit(makeLog({ write: () => undefined }));
      const intent = {
        action,
        before: null,
        after,
        actor: 'mara',
        object: { ...up, uid },
        summary: 's',
        requestId: 'r',
      };
      audit.conclude('r-1', intent, { result: 'unknown' });
      const result = listActions(
        { audit, principal, poolOf: () => undefined, upgradeOf: () => shown, sandboxOf: () => undefined },
        { maySee: () => true },
      );
      return result.ok ? result.value.actions[0]?.result : undefined;
    };
    expect(resultOf(done)).toBe('observed');
    expect(resultOf(open)).toBe('unknown');
    // A create has no uid yet: one of the name may be anybody's.
    expect(action === 'deleteUpgrade' ? 'unknown' : resultOf(done, '')).toBe('unknown');
  });

  it('are shown to those who may list their kind', () => {
    const audit = makeAudit(makeLog({ write: () => undefined }));
    const base = { before: null, after: null, actor: 'mara', summary: 's', requestId: 'r' };
    for (const [kind, action] of [
      ['SandboxSet', 'scalePool'],
      ['SandboxUpdateOps', 'createUpgrade'],
      ['Sandbox', 'cleanLeftovers'],
    ] as const) {
      audit.conclude(action, { ...base, action, object: { ...up, kind } }, { result: 'accepted' });
    }
    const seen = (kinds: string[]) => {
      const scope = { maySee: (kind: string) => kinds.includes(kind) };
      const result = listActions(
        { audit, principal, poolOf: () => undefined, upgradeOf: () => undefined, sandboxOf: () => undefined },
        scope,
      );
      return result.ok ? result.value.actions.map(({ action }) => action) : [];
    };
    expect(seen(['sandboxupdateops'])).toEqual(['createUpgrade']);
    expect(seen(['sandboxsets', 'sandboxes'])).toEqual(['cleanLeftovers', 'scalePool']);
  });
});

describe('writes on sandboxes', () => {
  const row: SandboxRow = {
    uid: 'u-1',
    ns: 'lab',
    name: 'box',
    phase: 'Running',
    state: 'Running',
    sinceFrom: 'unknown',
  };
  const at = '2026-11-30T15:00:00Z';

  it.each<[string, object | null, SandboxRow | undefined, SandboxRow | undefined]>([
    ['pauseSandbox', { 'spec.paused': true }, { ...row, paused: true }, row],
    ['resumeSandbox', { 'spec.paused': false }, row, { ...row, paused: true }],
    ['setDeadline', { 'spec.shutdownTime': at }, { ...row, shutdownAt: Date.parse(at) }, row],
    ['setDeadline', { 'spec.pauseTime': null }, row, { ...row, pauseAt: 1 }],
    ['deleteSandbox', null, { ...row, deleting: 1 }, row],
    ['deleteSandbox', null, undefined, row],
    ['removeFinalizer', null, undefined, { ...row, deleting: 1 }],
  ])('%s that lost its answer is settled by the row', (action, after, done, open) => {
    const resultOf = (shown: SandboxRow | undefined) => {
      const audit = makeAudit(makeLog({ write: () => undefined }));
      const box = { kind: 'Sandbox', namespace: 'lab', name: 'box', uid: 'u-1' };
      const intent = { action, before: null, after, actor: 'mara', object: box, summary: 's', requestId: 'r' };
      audit.conclude('r-1', intent, { result: 'unknown' });
      const watched = { poolOf: () => undefined, upgradeOf: () => undefined, sandboxOf: () => shown };
      const result = listActions({ audit, principal, ...watched }, { maySee: () => true });
      return result.ok ? result.value.actions[0]?.result : undefined;
    };
    expect(resultOf(done)).toBe('observed');
    expect(resultOf(open)).toBe('unknown');
  });

  it('of Pods and images stay open: no row tells', () => {
    for (const action of ['deletePod', 'changeImages']) {
      const audit = makeAudit(makeLog({ write: () => undefined }));
      const box = { kind: 'Sandbox', namespace: 'lab', name: 'box', uid: 'u-1' };
      const intent = { action, before: null, after: null, actor: 'm', object: box, summary: 's', requestId: 'r' };
      audit.conclude('r-1', intent, { result: 'unknown' });
      const watched = { poolOf: () => undefined, upgradeOf: () => undefined, sandboxOf: () => row };
      const result = listActions({ audit, principal, ...watched }, { maySee: () => true });
      expect(result.ok && result.value.actions[0]?.result).toBe('unknown');
    }
  });
});
