import { afterAll, beforeAll, expect, it } from 'vitest';
import { resources } from '../client/resources';
import { annotation } from '../rules/keys';
import { reason, startSandboxTests } from './testing';

let tests: Awaited<ReturnType<typeof startSandboxTests>>;
beforeAll(async () => {
  tests = await startSandboxTests();
});
afterAll(() => tests.stop());

const template = { spec: { containers: [{ name: 'main', image: 'code:v1' }] } };
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const yearMs = 365 * 24 * 3_600_000;

it('pauses in time, and keeps the sandbox for as long as was asked, or for ever when that cannot be read', async () => {
  const spec = () => ({ template, pauseTime: inSeconds(2), shutdownTime: inSeconds(600) });
  const reserve = (text: string) => ({ annotations: { [annotation.reservePaused]: text } });
  await tests.create(resources.sandboxes, 'hour', spec(), reserve('1h'));
  await tests.create(resources.sandboxes, 'ever', spec(), reserve('a while'));
  await tests.create(resources.sandboxes, 'plain', spec());
  const times = async (name: string) => {
    const { spec } = await tests.until(name, (it) => reason(it, 'SandboxPaused') === 'StopPauseSucceed');
    return [spec.shutdownTime, spec.pauseTime].map((time) => Date.parse(time ?? '') - Date.now());
  };
  const [shutdown = 0, pause] = await times('hour');
  expect(shutdown).toBeGreaterThan(3_500_000);
  expect(shutdown).toBeLessThan(3_700_000);
  expect(pause).toBeGreaterThan(3_500_000);
  expect((await times('ever'))[0]).toBeGreaterThan(99 * yearMs);
  expect((await times('plain'))[0]).toBeLessThan(600_000);
});

it('deletes at the end, a paused one too, and one whose end has come before its start', async () => {
  await tests.create(resources.sandboxes, 'late', { template, shutdownTime: inSeconds(-5) });
  await tests.gone(resources.sandboxes, 'late');
  await tests.running('brief', { template });
  await tests.change('brief', { spec: { paused: true } });
  await tests.until('brief', (it) => reason(it, 'SandboxPaused') === 'StopPauseSucceed');
  await tests.change('brief', { spec: { shutdownTime: inSeconds(1) } });
  await tests.gone(resources.sandboxes, 'brief');
});
