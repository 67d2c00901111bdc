/**
 * What one check came to.
 * @typedef {{ passed: number, failed: number, skipped: number, failures: { title: string, text: string }[] }} Result
 */

const keptTextLines = 25;

/** Terminal colours; they would survive in reports that are read elsewhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const colours = /\x1b\[[0-9;]*m/g;

function clean(text) {
  return text.replace(colours, '').split('\n').slice(0, keptTextLines).join('\n').trimEnd();
}

/**
 * A check that is one program: its exit code is the result.
 * @returns {Result}
 */
export function programResult(title, exitCode, lines) {
  if (exitCode === 0) return { passed: 1, failed: 0, skipped: 0, failures: [] };
  const text = lines.join('\n').replace(colours, '') || `exit code ${exitCode}`;
  return { passed: 0, failed: 1, skipped: 0, failures: [{ title, text }] };
}

/**
 * Vitest's JSON report.
 * @returns {Result}
 */
export function unitResult(report) {
  const failures = [];
  for (const file of report.testResults) {
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    for (const test of failed) {
      failures.push({ title: `${file.name} > ${test.fullName}`, text: clean(test.failureMessages.join('\n')) });
    }
    // A file that could not be loaded has no tests to count.
    if (file.status === 'failed' && failed.length === 0) failures.push({ title: file.name, text: clean(file.message) });
  }
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  };
}

function* specsOf(suite, titles = []) {
  const path = suite.title ? [...titles, suite.title] : titles;
  for (const spec of suite.specs ?? []) yield { spec, title: [...path, spec.title].join(' > ') };
  for (const child of suite.suites ?? []) yield* specsOf(child, path);
}

/**
 * Playwright's JSON report.
 * @returns {Result}
 */
export function browserResult(report) {
  const failures = report.errors.map((error) => ({ title: 'Playwright', text: clean(error.message ?? '') }));
  for (const { spec, title } of report.suites.flatMap((suite) => [...specsOf(suite)])) {
    if (spec.ok) continue;
    const errors = spec.tests.flatMap((test) => test.results.flatMap((result) => result.errors ?? []));
    failures.push({ title, text: clean(errors.map((error) => error.message ?? '').join('\n')) });
  }
  const { expected, flaky, skipped } = report.stats;
  return { passed: expected + flaky, failed: failures.length, skipped, failures };
}

/**
 * The result of a runner that writes a report. One that died, or that ends with an error its report knows nothing of,
 * is a failure: silence is not success.
 * @param {string} title
 * @param {number} exitCode
 * @param {unknown} report undefined when there is none
 * @param {(report: any) => Result} read
 * @param {string[]} lines
 * @returns {Result}
 */
export function runnerResult(title, exitCode, report, read, lines) {
  const result = report === undefined ? { passed: 0, failed: 0, skipped: 0, failures: [] } : read(report);
  const silent = exitCode !== 0 && result.failed === 0;
  if (!silent && report !== undefined && result.passed + result.failed > 0) return result;
  const what = report === undefined ? 'ended without a report' : silent ? 'failed outside of its tests' : 'ran no test';
  const failure = {
    title: `${title} ${what} (exit code ${exitCode})`,
    text: clean(lines.slice(-keptTextLines).join('\n')),
  };
  return { ...result, failed: result.failed + 1, failures: [...result.failures, failure] };
}

/**
 * The closing lines: every failure again, what was skipped, and the count.
 * @param {Result[]} results
 */
export function summary(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const failures = results.flatMap((result) => result.failures);
  const shown = failures.map(({ title, text }, i) => `${i + 1}) ${title}\n${text.replace(/^/gm, '   ')}\n`);
  const lines = shown.length > 0 ? ['', 'Failures', '', ...shown] : [''];
  if (sum('skipped') > 0) lines.push(`${sum('skipped')} skipped`);
  lines.push(`${sum('passed')} passed, ${sum('failed')} failed`);
  return { failed: sum('failed'), text: lines.join('\n') };
}
