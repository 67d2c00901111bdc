import { join } from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import type { BrowserEnv } from '../bin/lib/browser.mjs';
import { root } from '../bin/lib/paths.mjs';

const patienceMs = 120_000;

/** A browser as `npm test` found it. It ends with this process. */
export function launchBrowser(env: BrowserEnv): Promise<Browser> {
  return chromium.launch({
    executablePath: env.CHROMIUM_PATH,
    chromiumSandbox: env.CHROMIUM_SANDBOX === '1',
    env: { ...process.env, ...env },
    args: ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    // Signals are handled for everything at once, where the bench was started.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

const opening = z.object({ firstRowAt: z.number().nullable(), allRowsAt: z.number().nullable() });

const recording = z.object({
  /** For each change of a visible row its stamp, and how many ms later a frame had it. */
  late: z.array(z.tuple([z.number(), z.number()])),
  /** For each key press the ms until the frame after it was shown. */
  keys: z.array(z.number()),
  longestFrame: z.number(),
  framesPerSecond: z.number(),
});
export type Recording = z.infer<typeof recording>;

const metrics = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });

const processes = z.object({ processInfo: z.array(z.object({ type: z.string(), cpuTime: z.number() })) });

/** One page of the console in a browser of its own: nothing is cached. */
export class Tab {
  readonly page: Page;
  readonly #devtools: CDPSession;

  private constructor(page: Page, devtools: CDPSession) {
    this.page = page;
    this.#devtools = devtools;
  }

  /** @param wanted how many rows a complete list has */
  static async open(browser: Browser, wanted: number): Promise<Tab> {
    const context = await browser.newContext({
      viewport: { width: 1920, height: 1080 },
      locale: 'en-US',
      reducedMotion: 'no-preference',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.addInitScript(`window.benchWanted = ${wanted};`);
    await page.addInitScript({ path: join(root, 'server/bench/page-probe.js') });
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    return new Tab(page, devtools);
  }

  /** Opens a page and waits until its list is complete. Times are ms since the navigation began. */
  async load(url: string): Promise<{ firstRows: number; complete: number }> {
    await this.page.goto(url, { waitUntil: 'commit', timeout: patienceMs });
    await this.page.waitForFunction('window.benchProbe.allRowsAt !== null');
    const { firstRowAt, allRowsAt } = opening.parse(await this.page.evaluate('({ ...window.benchProbe })', undefined));
    return { firstRows: firstRowAt ?? Number.NaN, complete: allRowsAt ?? Number.NaN };
  }

  /** Bytes of scripts of everything that is loaded from now on, as they are on the wire and as they are run. */
  async countScripts(): Promise<{ wire: number; source: number }> {
    const sum = { wire: 0, source: 0 };
    const scripts = new Set<string>();
    await this.#devtools.send('Network.enable');
    this.#devtools.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.add(requestId);
    });
    this.#devtools.on('Network.dataReceived', ({ requestId, dataLength }) => {
      if (scripts.has(requestId)) sum.source += dataLength;
    });
    this.#devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) sum.wire += encodedDataLength;
    });
    return sum;
  }

  /** Names of the sandboxes whose changes can be seen. */
  async inSight(): Promise<{ namespace: string; name: string }[]> {
    const links = z.array(z.string()).parse(await this.page.evaluate('window.benchProbe.inSight()'));
    return links.flatMap((link) => {
      const [, namespace, name] = /\/sandboxes\/([^/]+)\/([^/?]+)/.exec(link) ?? [];
      return namespace && name ? [{ namespace, name }] : [];
    });
  }

  async record(during: () => Promise<void>): Promise<Recording> {
    await this.page.evaluate('window.benchProbe.start()');
    await during();
    return recording.parse(await this.page.evaluate('window.benchProbe.stop()'));
  }

  /** JavaScript heap in use, in MB, after everything unused was collected. */
  async heapMb(): Promise<number> {
    await this.#devtools.send('HeapProfiler.collectGarbage');
    const known = metrics.parse(await this.#devtools.send('Performance.getMetrics'));
    return (known.metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1e6;
  }

  /** CPU time of all pages of the browser so far, in seconds. */
  async cpuSeconds(): Promise<number> {
    const browser = await this.page.context().browser()?.newBrowserCDPSession();
    if (browser === undefined) return Number.NaN;
    const { processInfo } = processes.parse(await browser.send('SystemInfo.getProcessInfo'));
    await browser.detach();
    return processInfo.reduce((sum, { type, cpuTime }) => (type === 'renderer' ? sum + cpuTime : sum), 0);
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
