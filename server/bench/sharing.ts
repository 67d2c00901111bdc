import type { Browser } from '@playwright/test';
import { z } from 'zod';
import type { KindRequests } from './api-counter';
import { costOf } from './cost';
import { type Figure, figure, growth } from './figures';
import { noStats } from './process-stats';
import { startProgram } from './program';
import type { Stage } from './stage';
import { Tab } from './tab';

const tabs = 5;
/** No growth, as far as the garbage collector lets it be seen. */
const noiseMb = 20;

/** What the API server gets to do for one tab, and for several: the same. `first` is open already. */
export async function measureApiLoad(stage: Stage, browser: Browser, first: Tab): Promise<Figure[]> {
  const alone = apiLoad(stage, '1 browser');
  const more: Tab[] = [];
  for (let i = 1; i < tabs; i += 1) {
    const tab = await Tab.open(browser, stage.sandboxes);
    more.push(tab);
    await tab.load(`${stage.console.url}/sandboxes`);
  }
  const together = apiLoad(stage, `${tabs} browsers`);
  for (const tab of [first, ...more]) await tab.close();
  return [figure('kinds that are watched', '', stage.counter.counts().size), ...alone, ...together];
}

function apiLoad(stage: Stage, whose: string): Figure[] {
  const most = (of: (requests: KindRequests) => number) => Math.max(...[...stage.counter.counts().values()].map(of));
  return [
    figure(
      `lists a kind, ${whose}`,
      '',
      most(({ lists }) => lists),
      { budget: 1 },
    ),
    figure(
      `watches a kind, ${whose}`,
      '',
      most(({ watches }) => watches),
      { budget: 1 },
    ),
  ];
}

const streamed = z.object({ open: z.number(), gaps: z.number(), bytes: z.number(), seconds: z.number() });

/** Many streams at once, taken by one plain program: what they cost the console. */
export async function measureStreams(stage: Stage, clients: number, seconds: number): Promise<Figure[]> {
  const { pid } = stage.console;
  const program = startProgram('streams', { url: stage.console.url, clients });
  const { result, busy, resident } = await costOf(pid, program, seconds);
  const { open, gaps, bytes, seconds: streaming } = streamed.parse(result);
  return [
    figure('streams, wanted', '', clients),
    figure('streams, open to the end', '', open),
    figure('streams, told to list again', '', gaps),
    figure('streams: console, CPU of one core', '%', busy, { budget: 100, why: noStats }),
    figure('streams: console, resident', 'MB', resident.at(-1), { why: noStats }),
    figure('streams: console, growth in the window', 'MB', growth(resident), { budget: noiseMb, why: noStats }),
    figure('one stream', 'kB/min', ((bytes / clients / streaming) * 60) / 1e3),
  ];
}
