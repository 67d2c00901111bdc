import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { UpgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import { labelSelector } from '@/lib/contracts/upgrades';
import { readOperation } from '@/lib/domain/upgrades/operation-reading';
import { planProblems } from '@/lib/domain/upgrades/plan-problems';
import { readSandbox } from '@/lib/domain/upgrades/sandbox-reading';
import { classifyTargets } from '@/lib/domain/upgrades/targets';
import { type RecordedEvent, readRecording } from '@/server/testing/play';
import { projectUpgrade } from '.';

const folder = path.join(import.meta.dirname, '../../testing/recordings');
const recordings = readdirSync(folder)
  .map((file) => file.replace('.jsonl', ''))
  .filter((name) => /^(update|paused|unpause|second-update|upgrade|leftover|hook|checkpoint-restore)/.test(name));

const withSelector = z.looseObject({ spec: z.looseObject({ selector: labelSelector, patch: z.unknown().optional() }) });

interface Created {
  name: string;
  draft: UpgradePreviewRequest;
  patch: unknown;
  /** Sandboxes and operations as they were then. */
  sandboxes: unknown[];
  operations: { name: string; phase: string }[];
  /** Seconds since the start of the recording. */
  t: number;
  /** status.replicas of its first status; undefined: it had none within a second, others went first. */
  taken?: number;
}

/** The operations of a recording, with what a preview would have seen just before each was created. */
function creations(recording: string): Created[] {
  const sandboxes = new Map<string, RecordedEvent['object']>();
  const operations = new Map<string, RecordedEvent['object']>();
  const created = new Map<string, Created>();
  for (const { t, kind, type, object } of readRecording(recording).events) {
    const { name, uid } = object.metadata;
    const known = kind === 'sandboxes' ? sandboxes : kind === 'sandboxupdateops' ? operations : undefined;
    if (!known) continue;
    if (kind === 'sandboxupdateops' && !created.has(uid)) {
      const rows = [...operations.values()].flatMap((each) => projectUpgrade(each) ?? []);
      created.set(uid, { t, ...draftOf(object), sandboxes: [...sandboxes.values()], operations: rows });
    }
    const one = created.get(uid);
    const total = kind === 'sandboxupdateops' ? projectUpgrade(object)?.total : undefined;
    if (one && one.taken === undefined && total !== undefined && t - one.t < 1) one.taken = total;
    if (type === 'DELETED') known.delete(name);
    else known.set(name, object);
  }
  return [...created.values()];
}

function draftOf(object: unknown): Pick<Created, 'name' | 'draft' | 'patch'> {
  const { selector, patch } = withSelector.parse(object).spec;
  const reading = readOperation(object);
  if (!reading) throw new Error('an operation without a name');
  const { patch: _patch, ...settings } = reading;
  const change = patch === undefined ? { by: 'none' as const } : { by: 'patch' as const, patch: reading.patch ?? {} };
  return {
    name: reading.name,
    draft: { ...settings, targets: { by: 'labels', selector }, change, paused: false },
    patch,
  };
}

function preview({ draft, patch, sandboxes, operations }: Created) {
  const asObject = patch === undefined ? undefined : z.record(z.string(), z.unknown()).safeParse(patch).data;
  const readings = sandboxes.flatMap((object) => readSandbox(object) ?? []);
  const classified = classifyTargets({ sandboxes: readings, operations, draft, patch: asObject });
  const problems = planProblems({ draft, patch: asObject, classified, operations, checkpoints: 'unknown' });
  return { classified, problems: problems.map(({ code }) => code) };
}

it.each(recordings)('a preview takes what the controller then counted: %s', (recording) => {
  const found = creations(recording);
  expect(found.length).toBeGreaterThan(0);
  for (const one of found) {
    if (one.taken === undefined) continue;
    const { targets, leftOut } = preview(one).classified;
    const all = leftOut.filter(({ reason }) => reason === 'templateRef' || reason === 'unmergeable');
    expect([one.name, targets.length + all.length]).toEqual([one.name, one.taken]);
  }
});

it.each<[string, string, string[]]>([
  ['update-recreate-success', 'up-1', []],
  ['update-lifecycle-only', 'up-1', ['lifecycleOnlyNeverEnds']],
  ['update-of-template-ref-sandbox', 'up-1', ['templateRef']],
  ['update-patch-invalid', 'up-object', ['patchNotMergeable']],
  ['upgrade-selector-matching-nothing', 'up-none', ['nothingMatches']],
  ['upgrade-selector-matching-nothing', 'up-noop', ['nothingChanges']],
  ['checkpoint-restore-without-controller', 'up-1', ['checkpointsUnknown']],
  ['update-post-upgrade-hook-fails', 'up-2', []],
  ['update-pre-upgrade-hook-fails', 'up-2', []],
  ['update-fails-bad-image', 'up-good', []],
])('knows before what became of it: %s %s', (recording, name, problems) => {
  const one = creations(recording).find((each) => each.name === name);
  expect(one && preview(one).problems).toEqual(problems);
});

it('refuses to do the same again to what failed by it', () => {
  const [first, second] = creations('update-retry-identical');
  expect(first && preview(first).problems).toEqual([]);
  expect(second && preview(second).problems).toEqual(['identicalRetry']);
});

it('leaves out the members of a pool, the one that is lost and the one that still pauses, each with its reason', () => {
  const [one] = creations('update-ignores-pool-members');
  const left =
    one && preview(one).classified.leftOut.map(({ name, reason }) => [name.replace(/^web-.*/, 'web'), reason]);
  expect(left).toEqual([
    ['lost', 'terminal'],
    ['sleepy', 'stillPausing'],
    ['web', 'poolMember'],
    ['web', 'poolMember'],
  ]);
});
