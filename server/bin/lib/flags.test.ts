import { expect, test } from 'vitest';
import { parseFlags, parsePort } from './flags.mjs';

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

test('a port is a whole number up to 65535', () => {
  expect(['0', '3000', '65535'].map((text) => parsePort(text, '--port'))).toEqual([0, 3000, 65_535]);
  for (const text of ['', '-1', '3000x', '65536', '1e3']) {
    expect(() => parsePort(text, 'PORT')).toThrow(`PORT is "${text}", which is not a port.`);
  }
});
