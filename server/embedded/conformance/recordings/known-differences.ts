import type { Difference, RecordingResult } from './types';

/** A difference that stays, with its reason. It is reported when it no longer occurs. */
export interface KnownDifference {
  recording: string;
  object: string;
  fact: string;
  reason: string;
  /** Only on an API server with the agents.kruise.io webhooks, or only on one without. */
  webhooks?: boolean;
}

const oneMore =
  'The pool was deleted, and the recorded controller, whose copy of it was older than that, made its template and one more member again. Here no copy is that old.';
const accepted =
  'The webhook v-suo.kb.io refused the second operation and the edits of the first; without it they are accepted and take effect.';

/** The same reason for several facts. */
const differ = (
  recording: string,
  reason: string,
  facts: [object: string, fact: string][],
  webhooks?: boolean,
): KnownDifference[] =>
  facts.map(([object, fact]) => ({ recording, object, fact, reason, ...(webhooks === undefined ? {} : { webhooks }) }));

export const knownDifferences: KnownDifference[] = [
  ...differ('claim-ttl', oneMore, [
    ['sandboxtemplates web-rev1', 'life'],
    ['sandboxes web-*', 'life'],
    ['sandboxes web-*', 'events sandbox'],
    ['pods web-*', 'life'],
    ['pods web-*', 'status'],
    ['pods web-*', 'events default-scheduler'],
    ['sandboxsets web', 'events sandboxset-controller'],
  ]),
  ...differ(
    'second-update-refused',
    accepted,
    [
      ['', 'step'],
      ['sandboxes box-2', 'life'],
      ['sandboxes other', 'life'],
      ['sandboxupdateops up-1', 'counts'],
      ['sandboxupdateops up-1', 'events sandboxupdateops'],
      ['sandboxupdateops up-2', 'counts'],
      ['sandboxupdateops up-2', 'events sandboxupdateops'],
      ['sandboxupdateops up-2', 'life'],
    ],
    false,
  ),
];

export const listedFor = (recording: string, webhooks: boolean): KnownDifference[] =>
  knownDifferences.filter((one) => one.recording === recording && (one.webhooks ?? webhooks) === webhooks);

/**
 * Gives listed differences their reason and tells which lines of the list were not needed. Each line is for one difference: a
 * second one, of another object of that name, is new.
 */
export function judge(found: Difference[], listed: KnownDifference[]): Pick<RecordingResult, 'differences' | 'unused'> {
  const used = new Set<KnownDifference>();
  const differences = found.map((difference) => {
    const known = listed.find(
      (one) => !used.has(one) && one.object === difference.object && one.fact === difference.fact,
    );
    if (known === undefined) return difference;
    used.add(known);
    return { ...difference, reason: known.reason };
  });
  const unused = listed.filter((one) => !used.has(one));
  return { differences, unused: unused.map(({ recording, object, fact }) => `${recording}: ${object}: ${fact}`) };
}
