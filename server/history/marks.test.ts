import { expect, it } from 'vitest';
import type { SetMarkRequest } from '@/lib/contracts/triage';
import { loadMarks, pruneMarks, removeMark, setMark } from './marks';
import { onBothDatabases } from './testing';

const scope = { ns: 'lab', pool: 'web', state: 'Resuming', cause: 'InitImageMismatch' };
const ack = (version: number, over: Partial<SetMarkRequest> = {}): SetMarkRequest => ({
  scope,
  version,
  kind: 'ack',
  ...over,
});

onBothDatabases((database) => {
  it('keeps what was said over a restart, by its scope whatever the order of its fields', async () => {
    const first = database.open();
    const said = await setMark(first, ack(0, { kind: 'snooze', until: 9_000, note: 'node is drained' }), 'mara', 1_000);
    await first.close();
    const again = database.open();
    const [mark] = await loadMarks(again);
    expect(said).toEqual({ mark });
    expect(mark).toEqual({
      id: expect.any(String),
      scope,
      kind: 'snooze',
      by: 'mara',
      at: 1_000,
      until: 9_000,
      note: 'node is drained',
      version: expect.any(Number),
    });
    const turned = { cause: scope.cause, state: scope.state, pool: scope.pool, ns: scope.ns };
    const changed = await setMark(again, ack(mark?.version ?? 0, { scope: turned }), 'mara', 2_000);
    expect(changed).toMatchObject({ mark: { id: mark?.id, kind: 'ack', at: 2_000 } });
    const [only, ...others] = await loadMarks(again);
    expect(others).toEqual([]);
    expect(only).not.toHaveProperty('until');
    expect(only?.version).toBeGreaterThan(mark?.version ?? 0);
  });

  it('gives it to one of two who saw the same, over two connections, and shows the other whose it is', async () => {
    const [one, two] = [database.open(), database.open()];
    await loadMarks(one);
    await loadMarks(two);
    const outcomes = await Promise.all([setMark(one, ack(0), 'mara', 1_000), setMark(two, ack(0), 'li', 1_000)]);
    const winner = outcomes.find((outcome) => 'mark' in outcome);
    expect(outcomes).toContainEqual({ other: winner && 'mark' in winner ? winner.mark : undefined });
    expect(await loadMarks(one)).toHaveLength(1);
  });

  it('never takes a version for another one, also when a mark was taken away in between', async () => {
    const history = database.open();
    const first = await setMark(history, ack(0), 'mara', 1_000);
    if (!('mark' in first)) throw new Error('not set');
    expect(await removeMark(history, first.mark.id, first.mark.version + 5)).toEqual({ other: first.mark });
    expect(await removeMark(history, first.mark.id, first.mark.version)).toEqual(first);
    expect(await removeMark(history, first.mark.id, first.mark.version)).toBeUndefined();
    const second = await setMark(history, ack(0), 'li', 2_000);
    if (!('mark' in second)) throw new Error('not set');
    // Mara's page still shows hers.
    expect(await setMark(history, ack(first.mark.version), 'mara', 3_000)).toEqual({ other: second.mark });
    expect((await loadMarks(history)).map(({ by }) => by)).toEqual(['li']);
  });

  it('lets a change through of a mark that went by itself: nobody is overwritten', async () => {
    const history = database.open();
    const first = await setMark(history, ack(0), 'mara', 1_000);
    if (!('mark' in first)) throw new Error('not set');
    await pruneMarks(history, [first.mark]);
    expect(await loadMarks(history)).toEqual([]);
    expect(await setMark(history, ack(first.mark.version), 'li', 2_000)).toMatchObject({ mark: { by: 'li' } });
  });

  it('prunes nothing that has changed meanwhile', async () => {
    const history = database.open();
    const first = await setMark(history, ack(0), 'mara', 1_000);
    if (!('mark' in first)) throw new Error('not set');
    await setMark(history, ack(first.mark.version), 'li', 2_000);
    await pruneMarks(history, [first.mark]);
    expect((await loadMarks(history)).map(({ by }) => by)).toEqual(['li']);
  });
});
