import http from 'node:http';
import type { Browser } from '@playwright/test';
import { type Figure, figure, percentile } from './figures';
import type { Stage } from './stage';
import { Tab } from './tab';

const loads = 5;

/** How long a page takes to show its rows, and what it weighs. Each time by a browser that has never been here. */
export async function measureOpening(stage: Stage, browser: Browser): Promise<Figure[]> {
  const times: { firstRows: number; complete: number }[] = [];
  let scripts = { wire: 0, source: 0 };
  for (let i = 0; i < loads; i += 1) {
    const tab = await Tab.open(browser, stage.sandboxes);
    const counted = await tab.countScripts();
    times.push(await tab.load(`${stage.console.url}/sandboxes`));
    // What is loaded after the rows, for other pages, is no part of it.
    scripts = { ...counted };
    await tab.close();
  }
  const first = times.map(({ firstRows }) => firstRows);
  const rows = `${stage.console.url}/api/v1/rows`;
  const raw = await bodyBytes(rows, 'identity');
  return [
    figure('first rows after opening the page', 'ms', percentile(first, 0.5), { budget: 1_500 }),
    figure('first rows, slowest time', 'ms', percentile(first, 1)),
    figure(
      'all sandboxes counted on the page',
      'ms',
      percentile(
        times.map((each) => each.complete),
        0.5,
      ),
    ),
    figure('rows, raw', 'kB', raw / 1e3),
    figure('rows, on the wire', 'kB', (await bodyBytes(rows, 'gzip')) / 1e3),
    figure('one row, raw', 'bytes', raw / stage.sandboxes, { budget: 400 }),
    figure('scripts of the page, on the wire', 'kB', scripts.wire / 1e3),
    figure('scripts of the page, raw', 'kB', scripts.source / 1e3),
  ];
}

function bodyBytes(url: string, encoding: 'gzip' | 'identity'): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers: { 'accept-encoding': encoding } }, (answer) => {
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        answer.on('error', reject);
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(bytes);
          else reject(new Error(`${url} was answered with ${answer.statusCode}`));
        });
      })
      .on('error', reject);
  });
}
