import { mkdirSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { StartRuntimes } from './contract';
import { Pythons } from './python/python';
import { Reaper } from './python/reaper';
import { Runtime } from './runtime';

/** Sandboxes of an embedded cluster: what runs in their Pods, in this process and in those of Python. */
export const startRuntimes: StartRuntimes = (options) => {
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const dir = realpathSync(options.dir);
  const reaper = new Reaper(dir);
  const pythons = new Pythons(dir, reaper);
  const runtimes = new Map<string, Runtime>();
  const runtimeOf = (podUid: string): Runtime => {
    const known = runtimes.get(podUid);
    if (known) return known;
    const runtime = new Runtime(podUid, path.join(dir, `pod-${podUid.replace(/[^\w-]/g, '_')}`), pythons);
    runtimes.set(podUid, runtime);
    return runtime;
  };
  const kill = async (podUid: string) => {
    const runtime = runtimes.get(podUid);
    runtimes.delete(podUid);
    await runtime?.kill();
  };
  return {
    init: (podUid, init) => runtimeOf(podUid).init(init),
    handle: (podUid, address, request, response) => void runtimeOf(podUid).handle(address, request, response),
    kill,
    close: async () => {
      await Promise.all([...runtimes.keys()].map(kill));
      pythons.close();
      reaper.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
};
