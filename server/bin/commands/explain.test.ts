import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { explainOptions } from './explain.mjs';

beforeEach(() => vi.stubEnv('INIT_CWD', '/home/ann'));
afterEach(() => vi.unstubAllEnvs());

describe('flags of npm run explain', () => {
  it('takes files as they were typed, and what comes in through a pipe', () => {
    expect(explainOptions(['dump.yaml', '-', '/tmp/b.json', '--json'])).toEqual({
      files: ['/home/ann/dump.yaml', '-', '/tmp/b.json'],
      json: true,
    });
  });

  it('takes seconds of a recording, or a time', () => {
    expect(explainOptions(['/a.jsonl', '--at', '13.5'])).toEqual({ files: ['/a.jsonl'], at: 13.5 });
    expect(explainOptions(['/a', '--now', '2026-11-03T16:00:00+08:00'])).toEqual({
      files: ['/a'],
      now: Date.parse('2026-11-03T08:00:00Z'),
    });
  });

  it.each([
    [[], 'There is no file to explain.'],
    [['-', '-'], '- can be given once.'],
    [['a', '--at', 'soon'], '--at takes seconds, not "soon".'],
    [['a', '--now', 'yesterday'], '--now takes a time like'],
    [['a', '--now', '2026-13-03T08:00:00Z'], '--now takes a time like'],
    [['a', '--all'], "Unknown option '--all'"],
  ])('refuses %j', (argv, message) => {
    expect(() => explainOptions(argv)).toThrow(message);
  });
});

it('prints verdicts and ends with 0; with 2 and two lines for what it cannot read', { timeout: 60_000 }, () => {
  const root = path.join(import.meta.dirname, '../../..');
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['server/bin/explain.mjs', ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, INIT_CWD: root },
    });
  const fine = run('server/testing/recordings/paused-update-stuck-digest.jsonl', '--at', '10');
  expect(fine.stderr).toBe('');
  expect(fine.stdout).toContain('InitImageMismatch (fault, certain, never converges)');
  expect(fine.status).toBe(0);
  const broken = run('package.json');
  expect(broken.stdout).toBe('');
  expect(broken.stderr).toBe(
    'Error: There is nothing to explain in there.\n  Give sandboxes, best with their pods and events.\n',
  );
  expect(broken.status).toBe(2);
});
