import { filled, findingSentence, type VerdictWords, verdictLines } from '../diagnosis/verdict-text';
import { writeSpan } from '../limit-edits';
import { readPod, readSandbox } from '../object-readings';
import { redactText } from '../redact';
import { visibleText } from '../text';
import { durationText, formatDuration } from '../time';
import type { Bundle } from './incident-bundle';
import { cell, fenced, table } from './markdown';

type Words = Readonly<Record<string, string>>;

/** The messages of the page in one language; values in braces are plain. */
export interface BundleWords {
  verdict: VerdictWords;
  /** By display state, and by cause. */
  state: Words;
  cause: Words;
  said: { ack: string; snooze: string };
  bundle: Words;
}

/** Rows of the table of members; the file has more. */
const listed = 20;

/** The bundle as a ticket takes it, in the words' language. */
export function bundleMarkdown(bundle: Bundle, words: BundleWords): string {
  const { cohort } = bundle;
  const say = (key: string, values: Words = {}) => filled(words.bundle[key] ?? key, values);
  const state = words.state[cohort.scope.state ?? ''] ?? cohort.scope.state ?? '';
  const cause = cohort.scope.cause ? (words.cause[cohort.scope.cause] ?? cohort.scope.cause) : say('noCause');
  return `${[
    `# ${cell(say('title', { state, cause, count: String(cohort.count) }))}`,
    summary(bundle, words, say, { state, cause }),
    ...why(bundle, words, say),
    `## ${say('members')}`,
    members(bundle, words, say),
    ...leftOut(bundle, say),
    ...bundle.details.flatMap((detail) => detailLines(detail, words, say)),
    `## ${say('unreadable')}`,
    bundle.unreadable.length === 0
      ? say('allRead')
      : bundle.unreadable.map(({ what, why: reason }) => `- ${cell(what)}: ${cell(reason)}`).join('\n'),
    `## ${say('freshness')}`,
    table(
      [say('kind'), say('watch'), say('proven')],
      bundle.freshness.map(({ kind, state: now, provenAt }) => [kind, now, provenAt ?? '–']),
    ),
    `## ${say('commands')}`,
    fenced(bundle.kubectl.join('\n'), 'sh'),
    say('redacted'),
  ].join('\n\n')}\n`;
}

type Say = (key: string, values?: Words) => string;

const span = (ms: number): string => durationText(formatDuration(ms, { whole: true }));

function summary(
  bundle: Bundle,
  words: BundleWords,
  say: Say,
  { state, cause }: Record<'state' | 'cause', string>,
): string {
  const { cluster, clock, cohort, limits, marks, madeAt, link } = bundle;
  const { scope } = cohort;
  const age = cohort.oldest === undefined ? undefined : Date.parse(madeAt) - Date.parse(cohort.oldest);
  const counts = (values: { value: string; count: number }[]) =>
    values
      .map(({ value, count }) => `${value} (${count})`)
      .slice(0, 8)
      .join(', ') + (values.length > 8 ? ' …' : '');
  const rows: [string, string | undefined][] = [
    [say('madeAt'), madeAt],
    [
      say('clock'),
      clock.aheadMs === undefined ? say('clockAgrees') : say('clockAhead', { time: signed(clock.aheadMs) }),
    ],
    [say('cluster'), [cluster.name, cluster.server, cluster.version].filter(Boolean).join(' · ')],
    [say('namespace'), scope.ns],
    [say('pool'), scope.pool],
    [say('state'), state],
    [say('cause'), cause],
    [say('count'), String(cohort.count)],
    [say('sessions'), String(cohort.sessions)],
    [say('never'), String(cohort.never)],
    [say('oldest'), age === undefined ? say('unknownStart') : `${cohort.oldest} (${span(Math.max(0, age))})`],
    [say('limits'), limits && say('limitPair', { warn: writeSpan(limits.warn), breach: writeSpan(limits.breach) })],
    [say('nodes'), counts(cohort.nodes)],
    [say('revisions'), counts(cohort.revisions)],
    [say('images'), counts(cohort.images)],
    ...marks.map(({ kind, by, at, until, note }): [string, string] => [
      say('owner'),
      [
        `${by} ${words.said[kind]}`,
        new Date(at).toISOString(),
        until === undefined ? undefined : say('until', { at: new Date(until).toISOString() }),
        note,
      ]
        .filter(Boolean)
        .join(' · '),
    ]),
  ];
  const known = rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '');
  return `${table([say('what'), say('value')], known)}\n\n<${link}>`;
}

const signed = (ms: number): string => `${ms < 0 ? '−' : ''}${span(Math.abs(ms))}`;

/** The cause of the first member that has one: members of a cohort share it. */
function why({ details }: Bundle, { verdict: words }: BundleWords, say: Say): string[] {
  const cause = details.find(({ verdict }) => verdict.cause)?.verdict.cause;
  if (!cause) return [];
  const about = [words.confidence[cause.confidence], ...(cause.never ? [words.never] : [])].join(', ');
  return [`## ${say('why')}`, `**${cause.code}** (${about}): ${cell(findingSentence(cause, words))}`];
}

function members({ members: all }: Bundle, words: BundleWords, say: Say): string {
  const columns = ['sandbox', 'since', 'start', 'node', 'ready', 'session', 'shutdownAt'] as const;
  return table(
    columns.map((column) => say(column)),
    all
      .slice(0, listed)
      .map(({ name, since, clock, node, ready, claimed, claim, shutdownAt }) => [
        name,
        since ?? '–',
        words.verdict.clock[clock] ?? clock,
        node ?? '–',
        ready === undefined ? '–' : say(ready ? 'yes' : 'no'),
        claimed ? (claim ?? say('yes')) : '–',
        shutdownAt ?? '–',
      ]),
  );
}

function leftOut({ cohort, members: all, details, membersLeftOut }: Bundle, say: Say): string[] {
  const count = String(cohort.count);
  const lines = [
    ...(cohort.count > listed ? [say('listed', { listed: String(Math.min(listed, all.length)), count })] : []),
    ...(membersLeftOut > 0 ? [say('inFile', { listed: String(all.length), count })] : []),
    ...(details.length < cohort.count ? [say('detailed', { detailed: String(details.length), count })] : []),
  ];
  return lines.length === 0 ? [] : [lines.join(' ')];
}

function detailLines(detail: Bundle['details'][number], words: BundleWords, say: Say): string[] {
  const { conditions } = readSandbox(detail.sandbox);
  const pod = detail.pod && readPod(detail.pod);
  const at = (ms: number | undefined) => (ms === undefined ? '–' : new Date(ms).toISOString());
  const text = verdictLines(detail.verdict, words.verdict).map((line) => visibleText(redactText(line), 'keep'));
  return [
    `### ${cell(detail.name)} · ${detail.uid}`,
    fenced(text.join('\n'), 'text'),
    ...(conditions.length === 0
      ? []
      : [
          `**${say('conditions')}**`,
          table(
            [say('condition'), say('status'), say('reason'), say('message'), say('changed')],
            conditions.map((each) => [each.type, each.status, each.reason ?? '–', each.message ?? '–', at(each.at)]),
          ),
        ]),
    ...(pod
      ? [
          `**${say('pod')}** ${cell([pod.phase, pod.node].filter(Boolean).join(' · '))}`,
          table(
            [say('container'), say('imageSpec'), say('imageStatus'), say('containerState'), say('restarts')],
            pod.containers.map((each) => [
              each.kind === 'main' ? each.name : `${each.name} (init)`,
              each.spec,
              each.status ?? '–',
              [each.state, each.reason, each.exitCode].filter((part) => part !== undefined).join(' ') || '–',
              String(each.restarts ?? 0),
            ]),
          ),
        ]
      : [say('noPod')]),
    ...(detail.events && detail.events.length > 0
      ? [
          `**${say('events')}**`,
          table(
            [say('time'), say('times'), say('type'), say('reason'), say('message')],
            detail.events.map((each) => [each.at ?? '–', String(each.count), each.type, each.reason, each.message]),
          ),
        ]
      : [say(detail.events ? 'noEvents' : 'eventsUnread')]),
  ];
}
