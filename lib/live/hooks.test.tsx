// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LiveProvider, useLiveState, useLiveStatus, useNow, useRow, useRowByName, useRows } from '.';
import { delta, FakeTab, heartbeat, pool, reply, sandbox } from './testing';

let tab: FakeTab;
/** How often each component rendered. */
let counts: Record<string, number>;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-29T10:00:00Z') });
  tab = new FakeTab();
  counts = {};
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = (ms = 20) => act(() => vi.advanceTimersByTimeAsync(ms));
function count(name: string) {
  counts[name] = (counts[name] ?? 0) + 1;
}

function Sandboxes() {
  count('sandboxes');
  return <p>{useRows('sandboxes').length} sandboxes</p>;
}
function Pools() {
  count('pools');
  return <p>{useRows('sandboxsets').length} pools</p>;
}
function One() {
  count('one');
  return <p>phase {useRow('sandboxes', 'a')?.phase}</p>;
}
function State() {
  count('state');
  return <p>state {useLiveState()}</p>;
}
function Named() {
  return <p>uid {useRowByName('sandboxes', 'demo', 'name-a')?.uid}</p>;
}
function Clock() {
  const { ageMs, state } = useLiveStatus();
  return (
    <p>
      {new Date(useNow()).toISOString()} {state} {ageMs / 1000}
    </p>
  );
}
function Mounted() {
  useState(() => count('mounted'));
  return <p>{useRows('sandboxes').length} rows</p>;
}

it('renders again only what changed', async () => {
  render(
    <LiveProvider environment={tab}>
      <Sandboxes />
      <Pools />
      <One />
      <State />
    </LiveProvider>,
  );
  expect(screen.getByText('state loading')).toBeTruthy();
  tab.list.answer(reply(1, { sandboxes: [sandbox('a')], sandboxsets: [pool('p', 1)] }));
  await settle();
  await act(async () => tab.stream.send(heartbeat(1)));
  await settle();
  expect(screen.getByText('1 sandboxes')).toBeTruthy();
  expect(screen.getByText('state live')).toBeTruthy();
  const before = { ...counts };
  tab.stream.send(delta(2, { sandboxes: [sandbox('b')] }));
  await settle();
  await settle(3_000);
  expect(screen.getByText('2 sandboxes')).toBeTruthy();
  expect(counts).toEqual({ ...before, sandboxes: (before.sandboxes ?? 0) + 1 });
});

it('follows a name to the object that has it', async () => {
  render(
    <LiveProvider environment={tab}>
      <Named />
    </LiveProvider>,
  );
  tab.list.answer(reply(1, { sandboxes: [sandbox('a')] }));
  await settle();
  expect(screen.getByText('uid a')).toBeTruthy();
  tab.stream.send(delta(2, { sandboxes: [sandbox('z', { name: 'name-a' })] }, { sandboxes: ['a'] }));
  await settle();
  expect(screen.getByText('uid z')).toBeTruthy();
});

it('shows ages and times by the server’s clock, every second', async () => {
  const server = Date.parse('2026-01-01T00:00:00Z');
  render(
    <LiveProvider environment={tab}>
      <Clock />
    </LiveProvider>,
  );
  const fresh = {
    kinds: [{ kind: 'sandboxes', state: 'live' as const, provenAt: server }],
    cluster: reply(1).freshness.cluster,
  };
  tab.list.answer(reply(1, {}, { time: server, freshness: fresh }));
  await settle(3_020);
  expect(screen.getByText('2026-01-01T00:00:03.000Z live 3')).toBeTruthy();
});

it('starts anew with another scope, keeps what is below, and closes the old stream', async () => {
  const app = (namespaces: string[]) => (
    <LiveProvider namespaces={namespaces} environment={tab}>
      <Mounted />
    </LiveProvider>
  );
  const { rerender } = render(app(['b', 'a']));
  expect(tab.list.url).toContain('namespaces=a,b');
  tab.list.answer(reply(1, { sandboxes: [sandbox('x')] }));
  await settle();
  const old = tab.stream;
  rerender(app(['a', 'b']));
  expect(tab.lists).toHaveLength(1);
  rerender(app(['c']));
  expect(screen.getByText('0 rows')).toBeTruthy();
  expect(old.closed).toBe(true);
  expect(tab.list.url).toContain('namespaces=c');
  expect(counts.mounted).toBe(1);
});
