// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { leaveNothing } from '../../testing/leave-nothing';
import { aTask, fakeStreams } from '../tasks.testing';
import { TaskFeed } from './task-feed';

leaveNothing();
afterEach(() => void Reflect.deleteProperty(navigator, 'locks'));

/** Of the browser's locks, each is had when `granted` says so. */
function locks(granted: Promise<void>): void {
  const request = async (_name: string, { signal }: { signal: AbortSignal }, take: () => unknown) => {
    await granted;
    if (signal.aborted) throw new Error('aborted');
    return take();
  };
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } });
}

function follow() {
  const feed = new TaskFeed('t1');
  const states: string[] = [];
  const leave = feed.listen(() => void states.push(feed.view().state));
  states.push(feed.view().state);
  return { states, leave };
}

it('says that other tabs hold the connections when it has to wait, and not while it asks for its turn', async () => {
  const streams = fakeStreams();
  locks(Promise.resolve());
  const first = follow();
  await vi.waitFor(() => streams.last);
  expect(first.states).toEqual(['connecting']);
  first.leave();

  let free: () => void = () => undefined;
  const turn = new Promise<void>((resolve) => {
    free = resolve;
  });
  locks(turn);
  const second = follow();
  await vi.waitFor(() => expect(second.states).toEqual(['connecting', 'waiting']), { timeout: 5_000 });
  expect(streams.opened).toHaveLength(1);
  free();
  await vi.waitFor(() => expect(streams.opened).toHaveLength(2));
  second.leave();
});

it('reads what an ended task printed without a turn', async () => {
  const streams = fakeStreams();
  locks(new Promise(() => undefined));
  const feed = new TaskFeed('t1');
  const leave = feed.listen(() => undefined);
  expect(streams.opened).toHaveLength(0);
  feed.know(aTask({ unreleased: true }, 'over'));
  expect(streams.opened).toHaveLength(0);
  feed.know(aTask({ version: 2 }, 'over'));
  await vi.waitFor(() => expect(streams.opened).toHaveLength(1));
  leave();
});
