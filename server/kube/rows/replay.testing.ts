import 'server-only';
import type { PoolRow, SandboxRow, UpgradeRow } from '@/lib/contracts/rows';
import type { PodDigest } from '@/lib/domain/facts';
import { type ObservedState, timedStateOf } from '@/lib/domain/sandbox-state';
import { readRecording } from '@/server/testing/play';
import { digestPod, projectPool, projectSandbox, projectUpgrade } from '.';

/** What a watcher of the recording has in hand after one event. */
export interface Moment {
  /** Seconds since the start of the recording, and the same as epoch ms. */
  t: number;
  now: number;
  sandboxes: Map<string, SandboxRow>;
  pools: Map<string, PoolRow>;
  upgrades: Map<string, UpgradeRow>;
  /** The sandbox this event was about. */
  touched?: { name: string; row: SandboxRow | undefined; before: SandboxRow | undefined };
}

/** Plays a recording through the projection, and calls back after every event; maps are the same at each call. */
export function replay(name: string, after: (moment: Moment) => void): Moment {
  const { start, events } = readRecording(name);
  const objects = new Map<string, unknown>();
  const pods = new Map<string, PodDigest>();
  const observed = new Map<string, ObservedState>();
  const moment: Moment = { t: 0, now: start, sandboxes: new Map(), pools: new Map(), upgrades: new Map() };

  for (const { t, kind, type, object } of events) {
    const { name: key } = object.metadata;
    const gone = type === 'DELETED';
    moment.t = t;
    moment.now = start + t * 1000;
    delete moment.touched;
    if (kind === 'sandboxsets') put(moment.pools, key, gone ? undefined : projectPool(object));
    if (kind === 'sandboxupdateops') put(moment.upgrades, key, gone ? undefined : projectUpgrade(object));
    if (kind === 'pods') put(pods, key, gone ? undefined : digestPod(object));
    if (kind === 'sandboxes') put(objects, key, gone ? undefined : object);
    if (kind === 'pods' || kind === 'sandboxes') {
      const before = moment.sandboxes.get(key);
      const current = objects.get(key);
      let row = current === undefined ? undefined : projectSandbox(current, pods.get(key), observed.get(key));
      if (row && (!before || timedStateOf(before) !== timedStateOf(row))) {
        observed.set(key, { state: timedStateOf(row), at: moment.now });
        row = projectSandbox(current, pods.get(key), observed.get(key));
      }
      put(moment.sandboxes, key, row);
      moment.touched = { name: key, row, before };
    }
    after(moment);
  }
  return moment;
}

function put<T>(map: Map<string, T>, key: string, value: T | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

/** `State`, `Upgrading/Stage`, or `Gone`, each time it changed, per sandbox. */
export function statesOf(name: string): Record<string, string[]> {
  const states: Record<string, string[]> = {};
  replay(name, ({ touched }) => {
    if (!touched || (!touched.row && !touched.before)) return;
    const { row } = touched;
    const shown = row ? [row.state, row.stage].filter(Boolean).join('/') : 'Gone';
    states[touched.name] ??= [];
    const list = states[touched.name];
    if (list && list.at(-1) !== shown) list.push(shown);
  });
  return states;
}

/** Cause codes of a sandbox while it was in a state, each time they changed; `!` marks "never converges". */
export function causesOf(name: string, sandbox: string, state: string): string[] {
  const causes: string[] = [];
  replay(name, ({ touched }) => {
    const row = touched?.name === sandbox ? touched.row : undefined;
    if (row?.state !== state || !row.cause) return;
    const shown = `${row.cause.code}${row.cause.never ? '!' : ''}`;
    if (causes.at(-1) !== shown) causes.push(shown);
  });
  return causes;
}
