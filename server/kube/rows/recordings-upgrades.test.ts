import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UpgradeRow } from '@/lib/contracts/rows';
import { countSandboxes, sandboxStage } from '@/lib/domain/upgrades/stages';
import { type Moment, replay } from './replay.testing';

/** Every recording in which a SandboxUpdateOps was at work. */
const recordings = readdirSync(path.join(import.meta.dirname, '../../testing/recordings'))
  .map((file) => file.replace('.jsonl', ''))
  .filter((name) => /^(update|paused|unpause|second-update|upgrade|leftover|hook|checkpoint-restore)/.test(name));

const reported = ({ updated = 0, updating = 0, failed = 0 }: UpgradeRow) => `${updated} ${updating} ${failed}`;

function derived(moment: Moment, name: string): string {
  const adopted = [...moment.sandboxes.values()].filter(({ op }) => op === name);
  const { updated, updating, failed } = countSandboxes(adopted.map((row) => ({ row, ...sandboxStage(row) })));
  return `${updated} ${updating} ${failed}`;
}

/** Passes that counted from a cache older than the status before theirs. */
const behindTheirOwn: Record<string, number> = { 'update-deleted-midway': 1, 'update-retry-identical': 1 };

interface StatusWrite {
  t: number;
  op: string;
  reported: string;
  /** What was derived from the sandboxes since the status before: the controller counts before it writes to them. */
  derived: string[];
  /** The same of the status before. */
  before: string[];
}

function statusWrites(recording: string): { writes: StatusWrite[]; last: Moment } {
  const writes: StatusWrite[] = [];
  const seen = new Map<string, { status: string; derived: Set<string>; before: Set<string> }>();
  const last = replay(recording, (moment) => {
    for (const [name, op] of moment.upgrades) {
      const status = `${op.uid} ${op.phase} ${op.total} ${reported(op)}`;
      const now = derived(moment, name);
      const before = seen.get(name);
      const window = before?.derived ?? new Set<string>();
      window.add(now);
      if (before?.status === status || op.phase === '') {
        seen.set(name, { status, derived: window, before: before?.before ?? new Set() });
        continue;
      }
      writes.push({
        t: moment.t,
        op: name,
        reported: reported(op),
        derived: [...window],
        before: [...(before?.before ?? [])],
      });
      seen.set(name, { status, derived: new Set([now]), before: window });
    }
  });
  return { writes, last };
}

describe('counts from the sandboxes', () => {
  it.each(recordings)('are what the controller reported at every step: %s', (recording) => {
    const { writes } = statusWrites(recording);
    expect(writes.length).toBeGreaterThan(0);
    const behind = writes.filter((write) => !write.derived.includes(write.reported));
    expect(behind.filter((write) => !write.before.includes(write.reported))).toEqual([]);
    expect(behind).toHaveLength(behindTheirOwn[recording] ?? 0);
  });

  it.each(recordings)('are what it reports when nothing moves any more: %s', (recording) => {
    const { last } = statusWrites(recording);
    for (const [name, op] of last.upgrades) {
      if (op.phase === 'Updating') expect([name, derived(last, name)]).toEqual([name, reported(op)]);
    }
  });
});
