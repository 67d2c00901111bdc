import type { Verdict } from '@/lib/domain/diagnosis/verdict';
import { newestTime, parseDocuments, readText, sortObjects } from './files';
import { InputError } from './input-error';
import { worldAt } from './play';
import { isRecording, parseRecording } from './recording';
import { verdictsText } from './text';
import { verdictsOf } from './verdicts';
import type { World } from './world';

export interface ExplainOptions {
  /** Paths, `-` for what comes in. */
  files: string[];
  /** Seconds since the start of a recording. */
  at?: number;
  /** Epoch ms to judge files at. */
  now?: number;
  json?: boolean;
}

/**
 * What is to be printed: verdicts on all objects of the files, or of a recording after some seconds.
 * @throws InputError for what cannot be read.
 */
export function explain(options: ExplainOptions, wallClock = Date.now()): string {
  const { world, notes } = readWorld(options, wallClock);
  const verdicts = verdictsOf(world);
  if (verdicts.length === 0) {
    throw new InputError('There is nothing to explain in there.', 'Give sandboxes, best with their pods and events.');
  }
  const judgedAt = new Date(world.now).toISOString();
  if (options.json) {
    const shown = verdicts.map(withWrittenTimes);
    return `${JSON.stringify({ judgedAt, clockSkewMs: world.skew, notes, verdicts: shown }, null, 2)}\n`;
  }
  const skewed =
    world.skew > 0 ? [`The objects' clock is ${Math.round(world.skew / 1000)} s ahead; that is taken off.`] : [];
  const head = [`Judged at ${judgedAt}.`, ...skewed, ...notes];
  return `${head.join('\n')}\n\n${verdictsText(verdicts)}`;
}

/** Times as Kubernetes writes them. */
function withWrittenTimes({ since, ...verdict }: Verdict): object {
  return { ...verdict, ...(since === undefined ? {} : { since: new Date(since).toISOString() }) };
}

function readWorld({ files, at, now }: ExplainOptions, wallClock: number): { world: World; notes: string[] } {
  const texts = files.map((name) => ({ name, text: readText(name) }));
  const [first] = texts;
  if (first && texts.length === 1 && isRecording(first.text)) {
    const recording = parseRecording(first.text, first.name);
    const world = worldAt(recording, at);
    return { world: now === undefined ? world : { ...world, now }, notes: [] };
  }
  const recorded = texts.find(({ text }) => isRecording(text));
  if (recorded) throw new InputError(`${recorded.name} is a recording: it is explained alone.`, 'Give that file only.');
  if (at !== undefined) throw new InputError('--at needs a recording.', 'For files of objects there is --now.');
  const { objects, complete, ignored } = sortObjects(texts.flatMap(({ name, text }) => parseDocuments(text, name)));
  const judged = now ?? wallClock;
  // Their clock is ahead at least by what they have written that is still to come.
  const skew = now === undefined ? Math.max(0, (newestTime(objects) ?? judged) - judged) : 0;
  const none = new Map<string, never>();
  return {
    world: { objects, complete, observed: none, changed: none, below: none, scaled: none, now: judged, skew },
    notes: ignored > 0 ? [`${ignored} documents or items of other kinds, or without a name, were left out.`] : [],
  };
}
