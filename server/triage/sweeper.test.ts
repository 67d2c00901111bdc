import { expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SetMarkRequest } from '@/lib/contracts/triage';
import { standardLimits } from '@/lib/domain/limits';
import { sandbox, now as start } from '@/lib/domain/rows.testing';
import { loadMarks, setMark } from '../history/marks';
import { onBothDatabases } from '../history/testing';
import { MarkSweeper, oldestMs, pastMs, quietMs } from './sweeper';

const minute = 60_000;
const cluster = { name: 'c', server: 's', embedded: true, missing: [] };
const stuck = sandbox({ ns: 'lab', pool: 'web', state: 'Resuming', since: start - 10 * minute });
const scope = { ns: 'lab', pool: 'web', state: 'Resuming' };

onBothDatabases((database) => {
  async function world(over: Partial<SetMarkRequest> = {}) {
    const history = database.open();
    const at = { now: start, rows: [stuck] as SandboxRow[], state: 'live' as 'live' | 'degraded' };
    const sweeper = new MarkSweeper(
      { rows: () => at.rows, freshness: () => ({ cluster, kinds: [{ kind: 'sandboxes', state: at.state }] }) },
      history,
      () => standardLimits,
      () => at.now,
    );
    await setMark(history, { scope, version: 0, kind: 'ack', ...over }, 'mara', start);
    /** Every minute, as the process does. */
    const pass = async (ms: number) => {
      for (const end = at.now + ms; at.now < end; ) {
        at.now += minute;
        await sweeper.sweep();
      }
      return (await loadMarks(history)).length;
    };
    return { at, pass, history, sweeper };
  }

  it('goes when nothing that it covers has been stuck for five minutes, and not while something is', async () => {
    const { at, pass } = await world();
    expect(await pass(3 * quietMs)).toBe(1);
    at.rows = [{ ...stuck, state: 'Running' }, sandbox({ ...stuck, uid: 'other', pool: 'api' })];
    expect(await pass(quietMs - minute)).toBe(1);
    at.rows = [{ ...stuck, since: at.now - 10 * minute }];
    await pass(minute);
    at.rows = [];
    expect(await pass(quietMs)).toBe(1);
    expect(await pass(minute)).toBe(0);
  });

  it('does not take an outage for quiet', async () => {
    const { at, pass } = await world();
    at.rows = [];
    at.state = 'degraded';
    expect(await pass(3 * quietMs)).toBe(1);
    at.state = 'live';
    expect(await pass(quietMs)).toBe(1);
    expect(await pass(minute)).toBe(0);
  });

  it('goes after a month whatever hangs, and a snooze an hour after it is over', async () => {
    const { at, history, sweeper } = await world();
    await setMark(
      history,
      { scope: { ns: 'lab', uid: 'u' }, version: 0, kind: 'snooze', until: start + minute },
      'li',
      start,
    );
    at.now = start + pastMs;
    await sweeper.sweep();
    expect(await loadMarks(history)).toHaveLength(2);
    at.now += 2 * minute;
    await sweeper.sweep();
    expect((await loadMarks(history)).map(({ by }) => by)).toEqual(['mara']);
    at.now = start + oldestMs + 1;
    await sweeper.sweep();
    expect(await loadMarks(history)).toEqual([]);
  });
});
