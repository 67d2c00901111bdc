import { cpus, loadavg } from 'node:os';
import type { BrowserEnv } from '../bin/lib/browser.mjs';
import { say, withProgress } from '../bin/lib/report.mjs';
import { measureCohorts } from './cohorts';
import { type Figure, figure, unmeasured } from './figures';
import { measureLiving } from './living';
import { measureOpening } from './opening';
import { noStats } from './process-stats';
import { startProgram } from './program';
import { measureApiLoad, measureStreams } from './sharing';
import { setStage } from './stage';
import { launchBrowser, Tab } from './tab';
import { measureWatchers } from './watching';

/** Changes a second that go to the rows in sight, so that there is something to see. */
const hotRate = 20;

export interface BenchOptions {
  sandboxes: number;
  rate: number;
  seconds: number;
  browsers: number;
  watchers: number;
}

/** All figures, in the order of the report. What fails leaves a line that says why; the others are still measured. */
export async function measure(options: BenchOptions, env: BrowserEnv): Promise<Figure[]> {
  const { sandboxes, rate, seconds, browsers, watchers } = options;
  say(
    `${cpus().length} cores, load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  );
  const figures = [figure('load average of the machine before', '', loadavg()[0])];
  const part = async (label: string, work: () => Promise<Figure[]>) => {
    try {
      figures.push(...(await withProgress(label, work)));
    } catch (error) {
      const [why] = String(error instanceof Error ? error.message : error).split('\n');
      figures.push({ ...unmeasured(label, '', why ?? ''), ok: false });
    }
  };

  await part('Grouping what is stuck', async () => measureCohorts());

  const stage = await setStage(sandboxes);
  figures.push(
    figure(`making ${sandboxes} sandboxes by one scenario`, 's', stage.filled.seconds),
    figure('embedded cluster, resident with them', 'MB', stage.filled.residentMb, { why: noStats }),
  );
  const browser = await launchBrowser(env);
  await part('Opening the page', () => measureOpening(stage, browser));

  const tab = await Tab.open(browser, sandboxes);
  // In the order of names rows keep their places, so that those that are changed stay in sight.
  await tab.load(`${stage.console.url}/sandboxes?sort=name`);
  const hot = await tab.inSight();
  const churn = startProgram('churn', { url: stage.api.url, rate, hot, hotRate: Math.min(hotRate, rate) });
  await part(`Looking at it, ${rate} changes a second`, () => measureLiving(stage, tab, rate, seconds));
  await part('Opening more browsers', () => measureApiLoad(stage, browser, tab));
  await browser.close();
  await part(`Streaming to ${browsers} clients`, () => measureStreams(stage, browsers, seconds));
  await part(`${watchers} watchers of the API server`, () => measureWatchers(stage, watchers, seconds));
  churn.finish();
  await churn.result;
  stage.counter.close();
  return figures;
}
