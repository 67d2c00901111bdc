import { describe, expect, it } from 'vitest';
import type { PoolRow } from '@/lib/contracts/rows';
import { standardLimits } from '@/lib/domain/limits';
import { poolIssues, poolStats } from '@/lib/domain/pools';
import { attention } from '@/lib/domain/rows.testing';
import { filterSandboxes } from '@/lib/domain/sandbox-filter';
import { dwellOf, overdueBy, severityOf } from '@/lib/domain/severity';
import { upgradeView } from '@/lib/domain/upgrades/view';
import { digestPod, projectClaim, projectNode, projectPool, projectSandbox } from '.';
import { fixture, found, sandboxesOf, upgradesOf } from './fixtures.testing';

const now = Date.parse('2026-11-03T08:00:00Z');
const minute = 60_000;

describe('resuming, the init container reported by its image id', () => {
  const [sandbox, pod] = fixture('resuming-digest-vs-image-id');
  const row = found(projectSandbox(sandbox, digestPod(pod)));

  it('is red by its time in the state and by the comparison', () => {
    expect(row).toMatchObject({
      state: 'Resuming',
      sinceFrom: 'condition',
      claimed: true,
      owner: 'key-7f',
      node: 'node-c',
      ip: '10.42.3.19',
      claimedAt: Date.parse('2026-11-03T05:20:44Z'),
      cause: { code: 'InitImageMismatch', never: true },
    });
    expect(dwellOf(row, now)).toEqual({ ms: 42 * minute, atLeast: false, from: 'condition' });
    expect(severityOf(row, now, standardLimits)).toBe('breach');
    expect(overdueBy(row, now, standardLimits)).toEqual({ ms: 40 * minute, ratio: 21 });
  });

  it('names both sides', () => {
    expect(row.cause?.detail).toContain('agent-runtime:v0.3.0@sha256:111111111111…');
    expect(row.cause?.detail).toContain('≠ sha256:222222222222…');
  });
});

describe('locked, kept, recycling, held by a finalizer', () => {
  const rows = sandboxesOf(fixture('locked-reserved-recycled'));
  const named = (name: string) => found(rows.find((row) => row.name.endsWith(name)));
  const pool: PoolRow = {
    uid: '5c1d8a50-0000-4000-8000-0000000000a1',
    ns: 'kelp-lab',
    name: 'harbor-shell',
    desired: 3,
    images: [],
  };

  it('counts the locked one as available and says so', () => {
    expect(named('lock1')).toMatchObject({ state: 'Available', idle: true, locked: true, cause: { code: 'Locked' } });
    expect(severityOf(named('lock1'), now, standardLimits)).toBe('warn');
    const stats = poolStats(
      pool,
      rows.filter((row) => row.pool === 'harbor-shell'),
      now,
      standardLimits,
    );
    expect(stats).toMatchObject({ available: 1, locked: 1, lockLeft: 1, claimed: 0 });
    expect(poolIssues(pool, stats, now, standardLimits)).toContainEqual({ code: 'Locked', severity: 'warn', count: 1 });
  });

  it('keeps the reserved one out of every total and alarm', () => {
    const row = named('kept2');
    expect(row).toMatchObject({ state: 'Failed', reserved: true, cause: { code: 'PodNotFound' } });
    expect(row.shutdownAt).toBe(now + 10 * minute);
    expect(severityOf(row, now, standardLimits)).toBe('calm');
    expect(poolStats(pool, rows, now, standardLimits).claimed).toBe(0);
  });

  it('shows a recycling that timed out', () => {
    expect(named('loop3')).toMatchObject({
      state: 'Recycling',
      cause: { code: 'RecycleFailed', detail: 'grace period exceeded' },
    });
    expect(severityOf(named('loop3'), now, standardLimits)).toBe('breach');
  });

  it('lets the deletion win over the phase and names the finalizer', () => {
    expect(named('hang4')).toMatchObject({
      state: 'Terminating',
      phase: 'Paused',
      cause: { code: 'FinalizerHeld', detail: 'agents.kruise.io/sandbox' },
    });
    expect(dwellOf(named('hang4'), now).ms).toBe(120 * minute);
  });
});

describe('an update that failures have stalled, and one that waits behind it', () => {
  const objects = fixture('update-ops-stalled-by-failures');
  const [first, second] = upgradesOf(objects);
  const ops = [found(first), found(second)];
  const sandboxes = sandboxesOf(objects);

  it('is deadlocked and links the failed one', () => {
    const view = upgradeView(found(first), ops, sandboxes, now);
    expect(view).toMatchObject({ phase: 'Deadlocked', limit: 1, failed: 1, waiting: 6, free: 0 });
    expect(view.sandboxes).toMatchObject([{ row: { name: 'harbor-shell-c4d8z' }, stage: 'PreUpgrade', failed: true }]);
    expect(view.failures).toEqual([{ stage: 'PreUpgrade', count: 1 }]);
  });

  it('the other waits and names the holder', () => {
    const view = upgradeView(found(second), ops, [], now);
    expect(view).toMatchObject({ phase: 'WaitingForOther', holder: { name: 'bump-shell-250' } });
    expect(view.active).toEqual(['bump-shell-250', 'bump-env-log']);
  });

  it('quotes the hook on one visible line', () => {
    const [row] = sandboxes;
    expect(row?.cause).toMatchObject({ code: 'HookFailed' });
    expect(row?.cause?.detail).toContain('packing 3 files↵');
    expect(row?.cause?.detail?.length).toBeLessThanOrEqual(200);
    expect(severityOf(found(row), now, standardLimits)).toBe('breach');
  });

  it('is told once on the overview', () => {
    const items = attention({ sandboxes, pools: [], upgrades: ops }, now);
    expect(items).toMatchObject([{ kind: 'upgrade', name: 'bump-shell-250', phase: 'Deadlocked', holdsLock: true }]);
  });
});

describe('a pool made from a template reference', () => {
  it('names the template and has no images of its own', () => {
    const row = found(projectPool(fixture('template-ref-pool')[0]));
    expect(row).toMatchObject({ templateRef: 'reef-v2', template: 'reef-v2', images: [], desired: 2 });
    expect(row.noTemplate).toBeUndefined();
  });
});

describe('what a newer controller may send', () => {
  const objects = fixture('newer-version-values');

  it('keeps the raw phase and is never healthy', () => {
    const rows = sandboxesOf(objects);
    expect(rows.map(({ state, phase }) => [state, phase])).toEqual([
      ['Other', 'Pausing'],
      ['Other', 'running'],
    ]);
    const { counts } = filterSandboxes(rows, {}, { pools: new Map(), now, limits: standardLimits });
    expect([...counts.state.values()].reduce((sum, count) => sum + count, 0)).toBe(rows.length);
  });

  it('passes unknown phases, strategies and operators of updates and claims through', () => {
    const [op] = upgradesOf(objects);
    expect(op).toMatchObject({ phase: 'RollingBack', strategy: 'InPlaceIfPossible', selector: 'tier notin (prod)' });
    expect(upgradeView(found(op), [found(op)], [], now).phase).toBe('Other');
    const claim = projectClaim(objects.find(({ kind }) => kind === 'SandboxClaim'));
    expect(claim).toMatchObject({ phase: 'Queued', desired: 2, claimed: 0 });
  });

  it('does not call a sandbox healthy that runs without a Ready condition', () => {
    const object = { metadata: { name: 'x', uid: 'x' }, status: { phase: 'Running', summary: { ready: true } } };
    expect(projectSandbox(object, undefined)?.state).toBe('NotReady');
  });

  it('does not take a condition type for a property of every object', () => {
    const conditions = [
      { type: '__proto__', status: 'True' },
      { type: 'constructor', status: 'True' },
    ];
    const object = { metadata: { name: 'x', uid: 'x' }, status: { phase: 'Running', conditions } };
    expect(projectSandbox(object, undefined)?.state).toBe('NotReady');
  });
});

describe('a condition whose time moves without a flip', () => {
  it('does not make the duration start again', () => {
    const [sandbox, pod] = fixture('resuming-digest-vs-image-id');
    const observed = { state: 'Resuming', at: Date.parse('2026-11-03T07:00:00Z') };
    const row = found(projectSandbox(sandbox, digestPod(pod), observed));
    expect(dwellOf(row, now)).toEqual({ ms: 60 * minute, atLeast: true, from: 'observed' });
    expect(projectSandbox(sandbox, digestPod(pod), { ...observed, state: 'Paused' })?.sinceFrom).toBe('condition');
  });
});

describe('a pause that was only asked for', () => {
  it('is Pausing with an unknown start', () => {
    const object = {
      metadata: { name: 'x', uid: 'x', generation: 3 },
      spec: { paused: true },
      status: { phase: 'Running', observedGeneration: 2, conditions: [{ type: 'Ready', status: 'True' }] },
    };
    expect(projectSandbox(object, undefined)).toMatchObject({
      state: 'Pausing',
      paused: true,
      sinceFrom: 'unknown',
      cause: { code: 'ControllerLag' },
    });
  });

  it('that stalls keeps the words of the condition', () => {
    const conditions = [
      {
        type: 'SandboxPaused',
        status: 'False',
        reason: 'Pending',
        message: 'snapshot refused',
        lastTransitionTime: '2026-11-03T07:00:00Z',
      },
    ];
    const object = {
      metadata: { name: 'x', uid: 'x' },
      spec: { paused: true },
      status: { phase: 'Paused', conditions },
    };
    const row = found(projectSandbox(object, undefined));
    expect(row).toMatchObject({ state: 'Pausing', message: 'snapshot refused' });
    expect(severityOf(row, now, standardLimits)).toBe('breach');
  });
});

describe('nodes', () => {
  it('reads readiness, cordon and allocatable', () => {
    const object = {
      metadata: { name: 'node-a', uid: 'n' },
      spec: { unschedulable: true },
      status: { conditions: [{ type: 'Ready', status: 'Unknown' }], allocatable: { cpu: '1930m', memory: '31Gi' } },
    };
    expect(projectNode(object)).toEqual({
      uid: 'n',
      name: 'node-a',
      ready: false,
      cordoned: true,
      cpu: 1930,
      memory: 31 * 2 ** 30,
    });
  });
});
