import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { beforeTheEnd } from './ending';

/** A process with a web server, which ends it when it is told to. */
function processWithServer() {
  const order: string[] = [];
  const told = Object.assign(new EventEmitter(), {
    pid: 7,
    kill: (pid: number, signal: NodeJS.Signals) => told.emit(signal) && pid === 7,
  });
  told.on('SIGTERM', () => order.push('server'));
  const process = told as unknown as NonNullable<Parameters<typeof beforeTheEnd>[1]>;
  return { order, told, process };
}

it('comes before those who waited for the signal already, and they hear of it once', async () => {
  const { order, told, process } = processWithServer();
  let store = () => {};
  beforeTheEnd(async (signal) => {
    order.push(signal);
    await new Promise<void>((resolve) => {
      store = resolve;
    });
    order.push('stored');
  }, process);
  told.emit('SIGTERM');
  expect(order).toEqual(['SIGTERM']);
  store();
  await vi.waitFor(() => expect(order).toEqual(['SIGTERM', 'stored', 'server']));
  expect(told.listenerCount('SIGTERM')).toBe(1);
});

it.each([
  ['never ends', () => new Promise<void>(() => {})],
  ['fails', () => Promise.reject(new Error('no'))],
])('does not keep the process from ending when the work %s', async (_what, work) => {
  const { order, told, process } = processWithServer();
  beforeTheEnd(work, process);
  told.emit('SIGTERM');
  await vi.waitFor(() => expect(order).toEqual(['server']), 5_000);
});

it('is not in the way of a second signal', () => {
  const { told, process } = processWithServer();
  beforeTheEnd(() => new Promise(() => {}), process);
  told.emit('SIGINT');
  expect(told.listenerCount('SIGINT')).toBe(0);
});
