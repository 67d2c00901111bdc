import { expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { TaskSandbox } from '@/lib/contracts/tasks';
import { Origin, type PoolWatch } from './origin';

const pool = { ns: 'demo', name: 'python' };
const sentAt = 1_000_000;

function watchOf(rows: SandboxRow[]) {
  const byUid = new Map(rows.map((row) => [row.uid, row]));
  const listeners = new Set<Parameters<PoolWatch['onChange']>[0]>();
  const watch = {
    rows: () => byUid.values(),
    row: (_kind: string, uid: string) => byUid.get(uid),
    onChange(listener: Parameters<PoolWatch['onChange']>[0]) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as PoolWatch; // Only rows of sandboxes are asked for.
  const set = (row: SandboxRow) => {
    byUid.set(row.uid, row);
    for (const listener of listeners) listener({ kind: 'sandboxes', uid: row.uid, namespace: row.ns });
  };
  return { watch, set };
}

const member = (uid: string, created: number): SandboxRow => ({
  uid,
  ns: 'demo',
  name: `python-${uid}`,
  phase: 'Running',
  state: 'Available',
  sinceFrom: 'condition',
  since: created,
  pool: 'python',
  idle: true,
  created,
});

const claimed = ({ idle: _no, ...row }: SandboxRow): SandboxRow => ({ ...row, claimed: true, state: 'Running' });

function followed(rows: SandboxRow[], id: string) {
  const { watch, set } = watchOf(rows);
  let clock = sentAt;
  const origin = new Origin(watch, pool, () => clock);
  const told: TaskSandbox[] = [];
  return {
    set,
    last: () => told.at(-1),
    begin: () => origin.follow(id, (sandbox) => told.push(sandbox)),
    pass: (ms: number) => {
      clock += ms;
    },
  };
}

it('a member that leaves the pool was warm, and the next new member is its refill', () => {
  const old = member('a', sentAt - 60_000);
  const { set, last, begin, pass } = followed([old, member('b', sentAt - 60_000)], 'demo--python-a');
  pass(40);
  begin();
  expect(last()).toMatchObject({ origin: 'warm', uid: 'a', name: 'python-a' });
  pass(10);
  set(claimed(old));
  pass(100);
  set(member('c', sentAt));
  expect(last()).toMatchObject({
    origin: 'warm',
    leftPoolAt: sentAt + 50,
    refill: { name: 'python-c', uid: 'c', at: sentAt + 150 },
  });
});

it('a refill that is seen before the claim itself is taken all the same', () => {
  const old = member('d', sentAt - 60_000);
  const { set, last, begin } = followed([old], 'short-id-7');
  begin();
  set(member('e', sentAt));
  expect(last()).toEqual({ id: 'short-id-7', origin: 'unknown' });
  set({ ...claimed(old), id: 'short-id-7' });
  expect(last()).toMatchObject({ origin: 'warm', refill: { uid: 'e' } });
});

it('one that was created for the claim is cold, and has no refill', () => {
  const { set, last, begin } = followed([], 'demo--python-f');
  begin();
  set(claimed(member('f', sentAt)));
  set(member('g', sentAt));
  expect(last()).toMatchObject({ origin: 'cold', uid: 'f' });
  expect(last()?.refill).toBeUndefined();
});

it('an old one that was not seen in the pool is neither', () => {
  const { set, last, begin } = followed([], 'demo--python-h');
  begin();
  set(claimed(member('h', sentAt - 5_000)));
  expect(last()?.origin).toBe('unknown');
});

it('two claims at once do not share a refill', () => {
  const [one, two] = [member('i', sentAt - 60_000), member('j', sentAt - 60_000)];
  const { watch, set } = watchOf([one, two]);
  const told = new Map<string, TaskSandbox>();
  for (const row of [one, two]) {
    new Origin(watch, pool, () => sentAt).follow(`demo--${row.name}`, (sandbox) => told.set(row.uid, sandbox));
  }
  set(member('k', sentAt));
  set(member('l', sentAt));
  expect(new Set([told.get('i')?.refill?.uid, told.get('j')?.refill?.uid])).toEqual(new Set(['k', 'l']));
});
