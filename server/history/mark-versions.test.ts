import { expect, it } from 'vitest';
import type { SetMarkRequest } from '@/lib/contracts/triage';
import { HistoryUnavailable, makeHistory } from './database';
import { MarkVersions } from './mark-versions';
import { removeMark, setMark } from './marks';
import { onBothDatabases } from './testing';

const all = () => true;
const ack = (ns: string, version = 0): SetMarkRequest => ({ scope: { ns, pool: 'web' }, version, kind: 'ack' });

onBothDatabases((database) => {
  it('is another one for whoever may see what was said, changed or taken back, and the same for all others', async () => {
    const history = database.open();
    const versions = new MarkVersions(history);
    const inLab = (namespace: string) => namespace === 'lab';
    const seen: string[][] = [];
    const look = async () => {
      await versions.look();
      seen.push([versions.of(all), versions.of(inLab)]);
    };
    await look();
    const said = await setMark(history, ack('lab'), 'mara', 1_000);
    await look();
    const others = await setMark(history, ack('prod'), 'li', 1_000);
    await look();
    const version = 'mark' in said ? said.mark.version : 0;
    await setMark(history, ack('lab', version), 'mara', 2_000);
    await look();
    if ('mark' in others) await removeMark(history, others.mark.id, others.mark.version);
    await look();
    const [everything, lab] = [seen.map(([text]) => text), seen.map(([, text]) => text)];
    expect(new Set(everything).size).toBe(5);
    expect(lab.map((text) => lab.indexOf(text))).toEqual([0, 1, 1, 3, 3]);
  });

  it('is the same in every process on the database, and told when it changes', async () => {
    const history = database.open();
    const [one, two] = [new MarkVersions(history), new MarkVersions(database.open())];
    let told = 0;
    two.onChange(() => told++);
    await two.look();
    await setMark(history, ack('lab'), 'mara', 1_000);
    await one.look();
    await two.look();
    await two.look();
    expect(two.of(all)).toBe(one.of(all));
    expect(told).toBe(1);
  });
});

it('is another one while nothing can be read, and the one it was when that is over', async () => {
  let away = false;
  const off = makeHistory(undefined);
  const read = async <T>() => {
    if (away) throw new HistoryUnavailable('it is away');
    return [{ id: 'm', namespace: 'lab', version: 1 }] as T;
  };
  const versions = new MarkVersions({ ...off, read });
  let told = 0;
  versions.onChange(() => told++);
  await versions.look();
  const known = versions.of(all);
  away = true;
  await versions.look();
  expect(versions.of(all)).not.toBe(known);
  away = false;
  await versions.look();
  expect(versions.of(all)).toBe(known);
  expect(told).toBe(3);
});
