import { effectOf } from './effects';
import type { Recording, Step } from './recording';
import { requestOf } from './steps';

const momentSeconds = 0.05;

const acts = ['stopped', 'started'] as const;

/** What a note says that the recorder did to the controllers. */
export const aboutControllers = (step: Step): 'stopped' | 'started' | undefined =>
  step.action === 'note' ? acts.find((act) => new RegExp(`controllers? ${act}`).test(step.note ?? '')) : undefined;

/** The steps that a run does: some were requests that only a note tells of. */
function doneOf({ steps }: Recording): Step[] {
  return steps.flatMap((step) => {
    // Who else may do something is the API server's matter: it has its own checks.
    if (step.action.includes(' --as ')) return [];
    if (step.action !== 'note' || aboutControllers(step) !== undefined) return [step];
    const scaled = /scale of (\S+) to (\d+) through the subresource: accepted/.exec(step.note ?? '');
    return scaled === null ? [] : [{ t: step.t, action: `kubectl scale sbs ${scaled[1]} --replicas ${scaled[2]}` }];
  });
}

/** Requests of several clients at one moment are sent at one moment, in the order in which the API server took them. */
export function momentsOf(recording: Recording): Step[][] {
  const groups: Step[][] = [];
  for (const step of doneOf(recording).sort((a, b) => a.t - b.t)) {
    const last = groups.at(-1);
    const first = last?.[0];
    if (first?.action.startsWith('POST') && step.action.startsWith('POST') && step.t - first.t < momentSeconds)
      last?.push(step);
    else groups.push([step]);
  }
  return groups.map((steps) =>
    steps.length === 1 ? steps : steps.toSorted((a, b) => taken(recording, a) - taken(recording, b)),
  );
}

/** The version that a step's effect had. */
function taken(recording: Recording, step: Step): number {
  const { resource, name } = requestOf(step, (text) => text);
  return Number(effectOf(recording, step, resource.plural, name)?.version ?? 0);
}
