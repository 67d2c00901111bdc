import { setTimeout as sleep } from 'node:timers/promises';
import { effectOf } from './effects';
import { poolsOf, progressOf } from './progress';
import { endOf, type Recording, type Seen, type Step, sortByVersion } from './recording';
import { requestOf } from './steps';

// From the start of kubectl to its request, where nothing in the recording shows it.
const kubectlSeconds = 0.15;
const pollMs = 20;
const endPollMs = 200;
/** How long a step waits for a run that is behind the recording. */
const patienceMs = 6000;
const momentMs = 1500;
const endPatienceMs = 5000;

/** When each step of a recording is due in a run of it: as long after the one before as there, later when the run is behind. */
export class Pace {
  /** Epoch milliseconds of t = 0 in this run; moves when the run is behind. */
  private zero = Date.now();

  /** `seen` grows while the run goes on. */
  constructor(
    private readonly recording: Recording,
    private readonly seen: Seen[],
  ) {}

  /** The first step is due now. */
  start(): void {
    this.zero = Date.now() - (this.recording.steps[0]?.t ?? 0) * 1000;
  }

  /** Seconds since the run's start, as the recording counts them. */
  now = (): number => (Date.now() - this.zero) / 1000;

  /** Times in a text count from the start of this run. */
  moved(text: string): string {
    return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (time) =>
      new Date(Date.parse(time) - this.recording.start + this.zero).toISOString().replace(/\.\d+Z$/, 'Z'),
    );
  }

  /** Waits until this run is where the recording was at that step. Resolves to what had been recorded before it. */
  async due(step: Step): Promise<Seen[]> {
    if (step.action === 'note') {
      const before = this.recording.events.filter(({ t }) => t <= step.t);
      await this.reach(step.t, before);
      return before;
    }
    const { resource, name } = requestOf(step, (text) => text);
    const effect = effectOf(this.recording, step, resource.plural, name);
    const before = this.recording.events.filter(
      ({ t, object }) =>
        t <= step.t || (effect !== undefined && Number(object.metadata.resourceVersion) < Number(effect.version)),
    );
    await this.reach(effect?.t ?? step.t + kubectlSeconds, before);
    return before;
  }

  /** Waits for the recording's end, and a while longer for a run that is not as it was. */
  async finish(asRecorded: (seen: Seen[]) => boolean): Promise<void> {
    await sleep(Math.max(0, this.zero + endOf(this.recording).at * 1000 - Date.now()));
    let looked = -1;
    for (const until = Date.now() + endPatienceMs; Date.now() < until; await sleep(endPollMs)) {
      if (this.seen.length === looked) continue;
      looked = this.seen.length;
      if (asRecorded(sortByVersion([...this.seen]))) return;
    }
  }

  /** Waits for the moment, and a while longer for what has not come as far as by then in the recording. */
  private async reach(t: number, before: Seen[]): Promise<void> {
    await sleep(Math.max(0, this.zero + t * 1000 - Date.now()));
    const goal = progressOf(before);
    const { counts, rest } = poolsOf(before);
    // What is in the middle of a change may have been there for a moment only.
    const patience = rest ? patienceMs : momentMs;
    let looked = -1;
    for (const until = Date.now() + patience; Date.now() < until; await sleep(pollMs)) {
      if (this.seen.length === looked) continue;
      looked = this.seen.length;
      const now = progressOf(this.seen);
      const pools = poolsOf(sortByVersion([...this.seen])).counts;
      if (
        [...goal].every(([key, count]) => (now.get(key) ?? 0) >= count) &&
        [...counts].every(([name, count]) => pools.get(name) === count)
      )
        break;
    }
    this.zero = Math.max(this.zero, Date.now() - t * 1000);
  }
}
