import { expect, test } from 'vitest';
import { browserResult, programResult, runnerResult, summary, unitResult } from './results.mjs';

const passing = { passed: 2, failed: 0, skipped: 0, failures: [] };

test('a program passes or fails by its exit code', () => {
  expect(programResult('Lint', 0, ['all well'])).toMatchObject({ passed: 1, failed: 0 });
  expect(programResult('Lint', 1, ['\x1b[31mbad\x1b[0m'])).toMatchObject({
    passed: 0,
    failed: 1,
    failures: [{ title: 'Lint', text: 'bad' }],
  });
});

test('unit tests are counted, and a file that cannot be loaded is a failure', () => {
  const result = unitResult({
    numPassedTests: 4,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'adds', status: 'failed', failureMessages: ['expected 1'] },
          { fullName: 'takes', status: 'passed', failureMessages: [] },
        ],
      },
      { name: 'b.test.ts', status: 'failed', message: 'cannot import', assertionResults: [] },
    ],
  });
  expect(result).toEqual({
    passed: 4,
    failed: 2,
    skipped: 1,
    failures: [
      { title: 'a.test.ts > adds', text: 'expected 1' },
      { title: 'b.test.ts', text: 'cannot import' },
    ],
  });
});

test('browser tests are counted by what was expected of them, errors outside of tests as well', () => {
  const bad = { title: 'opens', ok: false, tests: [{ results: [{ errors: [{ message: 'not visible' }] }] }] };
  const good = { title: 'closes', ok: true, tests: [{ results: [{}] }] };
  const result = browserResult({
    stats: { expected: 1, flaky: 0, skipped: 2, unexpected: 1 },
    errors: [{ message: 'a fixture broke' }],
    suites: [{ title: 'pools.spec.ts', specs: [good], suites: [{ title: 'a pool', specs: [bad] }] }],
  });
  expect(result).toMatchObject({ passed: 1, failed: 2, skipped: 2 });
  expect(result.failures.map((failure) => failure.title)).toEqual(['Playwright', 'pools.spec.ts > a pool > opens']);
});

const read = () => passing;

test.each([
  ['died without a report', 137, undefined, read, 'ended without a report (exit code 137)', 0],
  ['left no report though it says all is well', 0, undefined, read, 'ended without a report (exit code 0)', 0],
  ['failed outside of its tests', 1, {}, read, 'failed outside of its tests (exit code 1)', 2],
  ['ran nothing', 0, {}, () => ({ ...passing, passed: 0 }), 'ran no test (exit code 0)', 0],
])('a runner that %s is a failure', (_, exitCode, report, reader, title, passed) => {
  const result = runnerResult('Unit tests', exitCode, report, reader, ['last words']);
  expect(result).toMatchObject({ passed, failed: 1, failures: [{ title: `Unit tests ${title}`, text: 'last words' }] });
});

test('the summary shows every failure again and closes with the count', () => {
  const failing = { passed: 0, failed: 1, skipped: 3, failures: [{ title: 'Types', text: 'line one\nline two' }] };
  const { failed, text } = summary([passing, failing]);
  expect(failed).toBe(1);
  expect(text).toContain('1) Types\n   line one\n   line two');
  expect(text.split('\n').slice(-2)).toEqual(['3 skipped', '2 passed, 1 failed']);
  expect(summary([passing]).text.split('\n').at(-1)).toBe('2 passed, 0 failed');
});
