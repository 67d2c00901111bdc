import { describe, expect, it } from 'vitest';
import { contractOf } from './contract-of';
import { hookDraft, newDraft, type PlanDraft } from './draft';
import { draftFrom } from './handed-over';

const now = Date.UTC(2026, 10, 30, 9, 5);
const whole = (over: Partial<PlanDraft> = {}) =>
  newDraft(now, {
    namespace: 'lab',
    pool: 'web',
    patch: 'spec:\n  containers:\n    - name: main\n      image: code:v2\n',
    ...over,
  });
const faults = (over: Partial<PlanDraft>) => contractOf(whole(over)).faults.map(({ code }) => code);

describe('contractOf', () => {
  it('makes the operation that the fields say', () => {
    const { draft, faults: none } = contractOf(
      whole({
        paused: true,
        maxUnavailable: '3',
        preUpgrade: { on: true, kind: 'shell', command: 'flush && sync', timeout: '' },
        postUpgrade: { on: true, kind: 'argv', command: '/bin/warm\n--all\n', timeout: '90' },
        guardFailures: '2',
      }),
    );
    expect(none).toEqual([]);
    expect(draft).toEqual({
      namespace: 'lab',
      name: 'web-20261130-0905',
      targets: { by: 'pool', pool: 'web' },
      states: ['Running', 'Paused'],
      change: { by: 'patch', patch: { spec: { containers: [{ name: 'main', image: 'code:v2' }] } } },
      strategy: 'Recreate',
      maxUnavailable: 3,
      preUpgrade: { command: ['/bin/sh', '-c', 'flush && sync'] },
      postUpgrade: { command: ['/bin/warm', '--all'], timeoutSeconds: 90 },
      paused: false,
      guard: { failures: 2 },
    });
  });

  it('asks the preview with what is right so far, and leaves the rest out', () => {
    const { preview, draft } = contractOf(whole({ patch: 'spec: [', name: 'Not A Name', maxUnavailable: 'many' }));
    expect(draft).toBeUndefined();
    expect(preview).toEqual({
      namespace: 'lab',
      targets: { by: 'pool', pool: 'web' },
      states: ['Running'],
      strategy: 'Recreate',
      paused: false,
    });
  });

  it('asks nothing without targets', () => {
    expect(contractOf(whole({ pool: '' })).preview).toBeUndefined();
    expect(contractOf(whole({ running: false })).preview).toBeUndefined();
    expect(contractOf(whole({ targetsBy: 'selection' })).preview).toBeUndefined();
  });

  it('makes a selector of label rows', () => {
    const labels = [
      { key: 'app', operator: 'In', values: 'web' },
      { key: 'app', operator: 'In', values: 'web' },
      { key: 'example.com/tier', operator: 'NotIn', values: 'a, b' },
      { key: 'canary', operator: 'DoesNotExist', values: 'left over' },
    ] satisfies PlanDraft['labels'];
    expect(contractOf(whole({ targetsBy: 'labels', labels })).preview?.targets).toEqual({
      by: 'labels',
      selector: {
        matchLabels: { app: 'web' },
        matchExpressions: [
          { key: 'app', operator: 'In', values: ['web'] },
          { key: 'example.com/tier', operator: 'NotIn', values: ['a', 'b'] },
          { key: 'canary', operator: 'DoesNotExist' },
        ],
      },
    });
  });

  it.each<[string, PlanDraft['labels'][number], string]>([
    ['an empty one', { key: '', operator: 'In', values: '' }, 'labelEmpty'],
    ['one that only says is set', { key: ' ', operator: 'Exists', values: '' }, 'labelEmpty'],
    ['one without values', { key: 'app', operator: 'In', values: '' }, 'labelValues'],
  ])('passes over no label row that is not finished: %s', (_, row, code) => {
    const labels = [{ key: 'app', operator: 'In' as const, values: 'web' }, row];
    const { faults: found, preview } = contractOf(whole({ targetsBy: 'labels', labels }));
    expect(found).toEqual([{ code, step: 'targets', row: 1 }]);
    expect(preview).toBeUndefined();
  });

  it('takes a single row that was not touched for none, and one without a key for unfinished', () => {
    const faultsOf = (row: PlanDraft['labels'][number]) =>
      contractOf(whole({ targetsBy: 'labels', labels: [row] })).faults.map(({ code }) => code);
    expect(faultsOf({ key: '', operator: 'In', values: '' })).toEqual(['noLabel']);
    expect(faultsOf({ key: '', operator: 'Exists', values: '' })).toEqual(['labelKey']);
  });

  it('names the label row that is not right', () => {
    const labels = [
      { key: 'app', operator: 'In', values: 'web' },
      { key: 'app', operator: 'In', values: ' , ' },
      { key: 'a b', operator: 'Exists', values: '' },
      { key: 'app', operator: 'In', values: '-x' },
    ] satisfies PlanDraft['labels'];
    const { faults: found, preview } = contractOf(whole({ targetsBy: 'labels', labels }));
    expect(found).toEqual([
      { code: 'labelValues', step: 'targets', row: 1 },
      { code: 'labelKey', step: 'targets', row: 2 },
      { code: 'labelValue', step: 'targets', row: 3 },
    ]);
    expect(preview).toBeUndefined();
  });

  it.each([
    [{ namespace: '', pool: '' }, ['namespace', 'pool']],
    [{ targetsBy: 'labels' as const }, ['noLabel']],
    [{ patch: '' }, ['noPatch']],
    [{ patch: '{}' }, ['noPatch']],
    [{ patch: 'spec: {containers: {a: 1}}' }, ['patchText']],
    [{ changeBy: 'none' as const }, ['noHook']],
    [{ changeBy: 'restore' as const }, ['noRestore']],
    [{ maxUnavailable: '0' }, ['maxUnavailable']],
    [{ maxUnavailable: '101%' }, ['maxUnavailable']],
    [{ maxUnavailable: '' }, ['maxUnavailable']],
    [{ guardFailures: '1.5', guardRate: '101' }, ['guardFailures', 'guardRate']],
    [{ name: '' }, ['nameEmpty']],
    [{ name: 'Web' }, ['name']],
    [{ preUpgrade: { on: true, kind: 'shell' as const, command: ' ', timeout: '1h' } }, ['preCommand', 'preTimeout']],
    [{ preUpgrade: { on: false, kind: 'shell' as const, command: '', timeout: 'x' } }, []],
  ])('says of %j: %j', (over, codes) => {
    expect(faults(over)).toEqual(codes);
  });
});

describe('hooks', () => {
  it.each([
    [['/bin/sh', '-c', 'a\nb'], 'shell'],
    [['/bin/bash', '-c', 'a\nb'], 'argv'],
    [['"quoted"', '', ' ', 'x'], 'argv'],
  ])('gives %j back as it was', (command, kind) => {
    const hook = hookDraft({ command, timeoutSeconds: 5 });
    expect(hook.kind).toBe(kind);
    const { draft } = contractOf(whole({ postUpgrade: hook }));
    expect(draft?.postUpgrade).toEqual({ command, timeoutSeconds: 5 });
  });
});

it('takes over a whole operation and says the same again', () => {
  const { draft } = contractOf(
    whole({
      name: 'retry-1',
      targetsBy: 'selection',
      sandboxes: [{ uid: 'u-1', name: 'box-1' }],
      strategy: 'CheckpointRestore',
      guardRate: '20',
      startPaused: true,
      preUpgrade: { on: true, kind: 'shell', command: 'flush', timeout: '10' },
    }),
  );
  if (!draft) throw new Error('the draft is whole');
  expect(contractOf(draftFrom(draft, now)).draft).toEqual(draft);
});
