import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { benchOptions } from './bench.mjs';

afterEach(() => vi.unstubAllEnvs());

test('without flags it is the situation of the budgets', () => {
  expect(benchOptions([])).toEqual({
    help: false,
    strict: false,
    history: false,
    tasks: false,
    count: 200,
    sandboxes: 10_000,
    rate: 500,
    seconds: 20,
    browsers: 200,
    watchers: 100,
  });
});

test('flags change it, and a file is meant from where the person is', () => {
  vi.stubEnv('INIT_CWD', '/home/ann');
  expect(benchOptions(['--json', 'out.json', '--sandboxes=50000', '--rate', '10', '--strict'])).toMatchObject({
    json: path.resolve('/home/ann/out.json'),
    sandboxes: 50_000,
    rate: 10,
    strict: true,
  });
});

test.each([
  ['--sandboxes', '0'],
  ['--rate', '-5'],
  ['--seconds', '1.5'],
  ['--browsers', 'many'],
  ['--browsers', ''],
])('%s %s is refused', (flag, value) => {
  expect(() => benchOptions([`${flag}=${value}`])).toThrow(`${flag} takes a whole number from 1`);
});

test('an unknown flag is refused', () => {
  expect(() => benchOptions(['--fast'])).toThrow("Unknown option '--fast'");
});
