import { afterEach, expect, test, vi } from 'vitest';
import { parseFlags, parsePort } from './flags.mjs';

afterEach(() => vi.unstubAllEnvs());

const types = { port: { type: 'string' }, dev: { type: 'boolean' } } as const;

test('flags are read with a blank or an equals sign', () => {
  expect(parseFlags(['--port', '1', '--dev'], types)).toEqual({ port: '1', dev: true });
  expect(parseFlags(['--port=1'], types)).toEqual({ port: '1' });
});

test.each([
  [['--prot', '1'], "Unknown option '--prot'."],
  [['--port'], "Option '--port <value>' argument missing."],
  [['now'], "Unexpected argument 'now'."],
])('%j is refused in one sentence, with exit code 2', (argv, message) => {
  expect(() => parseFlags(argv, types)).toThrow(expect.objectContaining({ message, code: 2 }));
});

test('an argument that is no flag may be the value of one that npm took', () => {
  vi.stubEnv('npm_lifecycle_event', 'bench');
  expect(() => parseFlags(['x'], types)).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining('A -- may be missing: npm run bench -- ') }),
  );
});

test.each([
  ['start', { npm_config_port: '3950' }, 'Write: npm start -- --port 3950'],
  ['start', { npm_config_port: 'true' }, 'Write: npm start -- --port PORT'],
  ['cluster', { npm_config_controllers_only: 'true' }, 'Write: npm run cluster -- --controllers-only'],
])('a flag of npm %s that npm kept for itself (%j) is refused, and said how to write it', (script, env, remedy) => {
  vi.stubEnv('npm_lifecycle_event', script);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const all = { ...types, 'controllers-only': { type: 'boolean' } } as const;
  expect(() => parseFlags([], all)).toThrow(
    expect.objectContaining({ code: 2, remedy, message: expect.stringContaining('npm kept --') }),
  );
});

test('what npm itself may set is not taken for a flag', () => {
  for (const name of ['only', 'json', 'dev', 'yes']) vi.stubEnv(`npm_config_${name}`, 'true');
  const only = { only: { type: 'string' }, json: { type: 'string' }, yes: { type: 'boolean' } } as const;
  expect(parseFlags(['--dev'], { ...types, ...only })).toEqual({ dev: true });
});

test('a port is a whole number up to 65535', () => {
  expect(['0', '3000', '65535'].map((text) => parsePort(text, '--port'))).toEqual([0, 3000, 65_535]);
  for (const text of ['', '-1', '3000x', '65536', '1e3']) {
    expect(() => parsePort(text, 'PORT')).toThrow(`PORT is "${text}", which is not a port.`);
  }
});
