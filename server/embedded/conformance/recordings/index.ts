import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ApiConnection } from '../../controllers/connect';
import { compareLives, countFacts } from './compare';
import { judge, listedFor } from './known-differences';
import { livesOf } from './lives';
import { aboutControllers } from './moments';
import { endOf, loadRecording, type Recording, type Seen } from './recording';
import { replay } from './replay';
import type { ControllersHandle, RecordingResult } from './types';

export { startRecordingCluster } from './cluster';
export { loadRecording } from './recording';
export type { ControllersHandle, Difference, RecordingResult } from './types';

// Recordings begin with their busiest second.
const apartMs = 1300;

interface Options {
  /** The API server has the agents.kruise.io webhooks, as the embedded one does. Default true. */
  webhooks?: boolean;
  controllers?: ControllersHandle;
}

/**
 * Drives the steps of a recording in a namespace of its own on any API server and compares what happens there with what was
 * recorded. The agents.kruise.io controllers and the simulated nodes must be running on it (`startRecordingCluster`). Some recorded
 * steps came a tenth of a second before something else, which a machine that is busy with other things does not keep: a run that is
 * otherwise is done once more, and the result says so.
 * A difference without `reason` is one that is not listed in `known-differences.ts`: the recording fails when there is one.
 * @throws UnusableFile for a file that is not a scenario, Error for a step that is not understood.
 */
export async function compareRecording(
  connection: ApiConnection,
  file: string,
  options: Options = {},
): Promise<RecordingResult> {
  const first = await compareOnce(connection, file, options);
  const unlisted = first.differences.filter(({ reason }) => reason === undefined);
  return unlisted.length === 0 ? first : { ...(await compareOnce(connection, file, options)), atFirst: unlisted };
}

async function compareOnce(
  connection: ApiConnection,
  file: string,
  { controllers, webhooks = true }: Options,
): Promise<RecordingResult> {
  const recording = loadRecording(file);
  const recorded = livesOf(recording.events, recording.namespace, webhooks);
  const compare = (seen: Seen[], namespace: string) =>
    compareLives(recording.name, recorded, livesOf(seen, namespace, webhooks), endOf(recording));
  const { seen, namespace, problems } = await replay(
    connection,
    recording,
    controllers,
    (...run) => compare(...run).length === 0,
  );
  const refused = { recording: recording.name, object: '', fact: 'step', recorded: [], seen: problems };
  const found = [...(problems.length === 0 ? [] : [refused]), ...compare(seen, namespace)];
  return {
    name: recording.name,
    facts: countFacts(recorded),
    ...judge(found, listedFor(recording.name, webhooks)),
  };
}

/** A recording that could not be compared has failed. */
function unusable(file: string, error: unknown): RecordingResult {
  const recording = path.basename(file, '.jsonl');
  const why =
    error instanceof z.ZodError
      ? `an object is not understood: ${z.prettifyError(error).replaceAll('\n', ' ')}`
      : error instanceof Error
        ? error.message
        : String(error);
  const difference = { recording, object: '', fact: 'step', recorded: [], seen: [why] };
  return { name: recording, facts: 0, differences: [difference], unused: [] };
}

const stopsControllers = ({ steps }: Recording): boolean => steps.some((step) => aboutControllers(step) === 'stopped');

/** Runs many side by side; those that stop the controllers come last, alone. `onResult` is called as each ends. */
export async function compareRecordings(
  connection: ApiConnection,
  files: string[],
  options: Options & { onResult?: (result: RecordingResult) => void } = {},
): Promise<RecordingResult[]> {
  const one = async (file: string): Promise<RecordingResult> => {
    const result = await compareRecording(connection, file, options).catch((error: unknown) => unusable(file, error));
    options.onResult?.(result);
    return result;
  };
  const all = files.map((file) => ({ file, recording: loadRecording(file) }));
  const length = ({ recording }: (typeof all)[number]) => recording.events.at(-1)?.t ?? 0;
  const beside = all.filter(({ recording }) => !stopsControllers(recording)).sort((a, b) => length(b) - length(a));
  const longest = beside[0] === undefined ? 0 : length(beside[0]);
  const results = await sideBySide(beside, longest, length, ({ file }) => one(file));
  for (const { file, recording } of all) if (stopsControllers(recording)) results.push(await one(file));
  return results;
}

/** The longest first; the others spread over the time that it takes, so that the cluster is never busy with all of them. */
async function sideBySide<T, R>(
  items: T[],
  seconds: number,
  length: (item: T) => number,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const total = items.reduce((sum, item) => sum + length(item), 0);
  const lanes = Math.max(1, Math.ceil((total * 1.15) / Math.max(1, seconds)));
  const queue = [...items];
  const results: R[] = [];
  const lane = async (_: unknown, number: number) => {
    await sleep(number * apartMs);
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) results.push(await run(item));
  };
  await Promise.all(Array.from({ length: lanes }).map(lane));
  return results;
}
