import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxAction, SandboxChange } from '@/lib/contracts/sandbox-writes';
import { changedImages, faultOf, type ImageEdit } from '@/lib/domain/sandbox-losses';

export type DeadlineField = 'shutdownTime' | 'pauseTime';

/** What the fields of the dialogs hold; each action reads its own. */
export interface Draft {
  field: DeadlineField;
  how: 'add' | 'at' | 'remove';
  addSeconds: string;
  /** As typed, in the zone of the page: `2026-11-30T14:02`. */
  at: string;
  /** Undefined: as suggested from the object. */
  images: ImageEdit[] | undefined;
  thenDeletePod: boolean;
  /** Undefined: the only one there is, or the controller's own. */
  finalizer: string | undefined;
}

export const sandboxFinalizer = 'agents.kruise.io/sandbox';

/** What is most likely wanted, from the rows. `field` is given where a deadline was pressed. */
export function firstDraft(rows: readonly SandboxRow[], field: DeadlineField | undefined): Draft {
  const timed = rows[0];
  const pauses = timed?.pauseAt !== undefined && timed.shutdownAt === undefined && !timed.paused;
  return {
    field: field ?? (pauses ? 'pauseTime' : 'shutdownTime'),
    how: 'add',
    addSeconds: '3600',
    at: '',
    images: undefined,
    thenDeletePod: rows.every(({ state }) => state === 'Creating' || state === 'Resuming' || state === 'Upgrading'),
    finalizer: undefined,
  };
}

/** @param finalizers of the one sandbox; undefined for several, which are asked about the controller's own */
export function chosenFinalizer(draft: Draft, finalizers: readonly string[] | undefined): string | undefined {
  if (!finalizers) return draft.finalizer ?? sandboxFinalizer;
  const wanted = draft.finalizer ?? (finalizers.length === 1 ? finalizers[0] : sandboxFinalizer);
  return finalizers.find((name) => name === wanted);
}

/** Why there is nothing to send yet: keys of `sandboxes.actions.not`. */
export type Lacking = 'time' | 'passed' | 'noDeadline' | 'images' | 'sameImages' | 'finalizer';

/**
 * What would be sent, or what is lacking.
 * @param images as edited or suggested; undefined until the object is read
 * @param atMs what `draft.at` means, undefined when it is no time
 */
export function changeOf(
  action: SandboxAction,
  draft: Draft,
  {
    rows,
    images,
    finalizers,
    atMs,
    now,
  }: {
    rows: readonly SandboxRow[];
    images: ImageEdit[] | undefined;
    finalizers: readonly string[] | undefined;
    atMs: number | undefined;
    now: number;
  },
): { change: SandboxChange } | { lacking: Lacking } {
  switch (action) {
    case 'pauseSandbox':
    case 'deletePod':
    case 'deleteSandbox':
      return { change: { action } };
    case 'resumeSandbox':
      return { change: { action, pauseTime: null } };
    case 'setDeadline':
      return deadlineOf(draft, rows, atMs, now);
    case 'changeImages': {
      const edits = changedImages(images ?? []);
      if (edits.length === 0) return { lacking: 'sameImages' };
      if (edits.some((edit) => faultOf(edit) !== undefined)) return { lacking: 'images' };
      const wanted = edits.map(({ container, init, image, to }) => ({ container, init, from: image, to: to.trim() }));
      return { change: { action, images: wanted, thenDeletePod: draft.thenDeletePod } };
    }
    case 'removeFinalizer': {
      const finalizer = chosenFinalizer(draft, finalizers);
      return finalizer === undefined ? { lacking: 'finalizer' } : { change: { action, finalizer } };
    }
  }
}

function deadlineOf(
  { field, how, addSeconds }: Draft,
  rows: readonly SandboxRow[],
  atMs: number | undefined,
  now: number,
): { change: SandboxChange } | { lacking: Lacking } {
  const action = 'setDeadline';
  if (how === 'add') return { change: { action, field, addSeconds: Number(addSeconds) } };
  if (how === 'remove') {
    const some = rows.some((row) => (field === 'shutdownTime' ? row.shutdownAt : row.pauseAt) !== undefined);
    return some ? { change: { action, field, to: null } } : { lacking: 'noDeadline' };
  }
  if (atMs === undefined) return { lacking: 'time' };
  if (atMs <= now) return { lacking: 'passed' };
  return { change: { action, field, to: new Date(atMs).toISOString() } };
}
