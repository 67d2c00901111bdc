import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureBuild } from './build.mjs';
import { cacheDir, root } from './paths.mjs';
import { launch, unlessEnding } from './processes.mjs';
import { Stop, say, stopText } from './report.mjs';
import { browserResult, programResult, runnerResult, unitResult } from './results.mjs';

const bin = (path) => join(root, 'node_modules', path);

/** Programs write into a pipe here, and cannot see whether there is a terminal at its end. */
const colours = process.stdout.isTTY
  ? { FORCE_COLOR: '1', NO_COLOR: undefined }
  : { FORCE_COLOR: undefined, NO_COLOR: '1' };

/** Runs a program of node_modules with its output shown; settles with the exit code and the output's last lines. */
async function runTool(path, args, env = {}) {
  const child = launch(process.execPath, [bin(path), ...args], { env: { ...colours, ...env }, echo: true });
  const code = await child.exited;
  await unlessEnding();
  return { code, lines: child.lastLines(200) };
}

/** Runs a test runner and reads the JSON report that it leaves in a file. */
async function runRunner(title, path, args, env, reportFile, read) {
  mkdirSync(join(cacheDir, 'reports'), { recursive: true });
  rmSync(reportFile, { force: true });
  const { code, lines } = await runTool(path, args, env);
  let report;
  try {
    report = JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    // No report, or half of one: the runner died.
  }
  return runnerResult(title, code, report, read, lines);
}

async function lint() {
  const { code, lines } = await runTool('@biomejs/biome/bin/biome', ['check', '.']);
  return programResult('Lint (npm run lint)', code, lines);
}

async function types() {
  // The types of routes, and of style sheets as imports, are written by Next and not committed.
  const routes = await runTool('next/dist/bin/next', ['typegen'], { NEXT_TELEMETRY_DISABLED: '1' });
  if (routes.code !== 0) return programResult('Types (next typegen)', routes.code, routes.lines);
  const { code, lines } = await runTool('typescript/bin/tsc', ['--noEmit', '--checkers', '2', '--pretty', 'false']);
  return programResult('Types (npm run typecheck)', code, lines);
}

async function unit() {
  const file = join(cacheDir, 'reports/unit.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return runRunner('Unit tests', 'vitest/vitest.mjs', args, { NODE_ENV: 'test' }, file, unitResult);
}

/**
 * Browser tests on the built console.
 * @param {{ kubeconfig?: string, args?: string[] }} [options] another cluster than the embedded one; flags of Playwright
 */
export async function browserTests({ kubeconfig, args = [] } = {}) {
  let browser;
  try {
    await ensureBuild();
    browser = await ensureBrowser();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    await unlessEnding();
    say(stopText(error));
    return programResult(`Browser tests: ${error.message}`, 1, error.lines);
  }
  const file = join(cacheDir, 'reports/browser.json');
  const env = { ...browser, E2E_KUBECONFIG: kubeconfig, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const cli = ['test', '--config', join(root, 'e2e/playwright.config.ts'), '--reporter=list,json', ...args];
  return runRunner('Browser tests', '@playwright/test/cli.js', cli, env, file, browserResult);
}

/** Every check by the name that `npm test -- --only` takes, in the order in which they run. */
export const checks = { lint, types, unit, e2e: () => browserTests() };
