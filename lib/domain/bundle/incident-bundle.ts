import type { BundleMember, IncidentBundle } from '@/lib/contracts/incident-bundle';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Freshness } from '@/lib/contracts/stream';
import type { Mark, MarkScope } from '@/lib/contracts/triage';
import type { Verdict } from '../diagnosis/verdict';
import { type LimitsInForce, limitsOf } from '../limits';
import { redactText } from '../redact';
import { type Severity, severityOf } from '../severity';
import { bundleCommands } from './commands';
import { withoutSecrets } from './without-secrets';

/** So many members with their whole objects. */
export const mostDetails = 20;
/** So many are listed; of more the rest is counted. */
export const mostMembers = 500;

/** One member as it was read for the bundle. */
export type ReadMember =
  | { row: SandboxRow; reply: ObjectReply; verdict: Verdict }
  | { row: SandboxRow; problem: string };

export interface BundleInput {
  /** What the rows have in common. */
  scope: MarkScope;
  /** All members, worst first; at least one. */
  rows: readonly SandboxRow[];
  /** The first of them, at most {@link mostDetails}. */
  read: readonly ReadMember[];
  marks: readonly Mark[];
  freshness: Freshness;
  limits: LimitsInForce;
  /** Where the console shows it. */
  link: string;
  /** The cluster's clock, epoch ms. */
  now: number;
}

/** With verdicts that can be told in words. */
export type Bundle = Omit<IncidentBundle, 'details'> & {
  details: (Omit<IncidentBundle['details'][number], 'verdict'> & { verdict: Verdict })[];
};

const utc = (ms: number): string => new Date(ms).toISOString();
const optional = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
const rank = { calm: 0, warn: 1, breach: 2 };

/** What is known of an incident, without a credential and without values of environment variables. Pure. */
export function incidentBundle(input: BundleInput): Bundle {
  const { scope, rows, read, freshness, limits, link, now } = input;
  const { cluster } = freshness;
  const starts = rows.flatMap(({ since }) => since ?? []);
  const [first] = rows;
  const own = first && limitsOf(first, limits);
  const severities = rows.map((row) => severityOf(row, now, limits));
  const worst = severities.reduce<Severity>((most, each) => (rank[each] > rank[most] ? each : most), 'calm');
  return {
    schema: 'openkruise-agents-console/incident-bundle',
    version: 1,
    madeAt: utc(now),
    link,
    cluster: { name: cluster.name, server: cluster.server, ...optional('version', cluster.version) },
    clock: { source: 'cluster', ...optional('aheadMs', cluster.clockAheadMs) },
    cohort: {
      scope,
      severity: worst,
      count: rows.length,
      sessions: rows.filter(({ claimed }) => claimed).length,
      never: rows.filter(({ cause }) => cause?.never).length,
      ...optional('oldest', starts.length === 0 ? undefined : utc(starts.reduce((a, b) => Math.min(a, b)))),
      nodes: counted(rows.map(({ node }) => node)),
      revisions: counted(rows.map(({ hash }) => hash)),
      images: counted(rows.map(({ cause }) => cause?.image)),
    },
    ...optional('limits', own && { warn: own.warn, breach: own.breach }),
    marks: input.marks.map(({ id: _, version: __, note, ...mark }) => ({
      ...mark,
      ...optional('note', note && redactText(note)),
    })),
    freshness: freshness.kinds.map(({ kind, state, provenAt, reason }) => ({
      kind,
      state,
      ...optional('provenAt', provenAt === undefined ? undefined : utc(provenAt)),
      ...optional('reason', reason && redactText(reason)),
    })),
    members: rows.slice(0, mostMembers).map((row, index) => memberOf(row, severities[index] ?? 'calm')),
    membersLeftOut: Math.max(0, rows.length - mostMembers),
    details: read.flatMap((member) => ('reply' in member ? [detailOf(member)] : [])),
    unreadable: unreadable(freshness, read),
    kubectl: bundleCommands(rows, now),
  };
}

function memberOf(row: SandboxRow, severity: Severity): BundleMember {
  const { name, uid, state, sinceFrom, since, cause, shutdownAt } = row;
  return {
    name,
    uid,
    state,
    severity,
    clock: sinceFrom,
    claimed: row.claimed ?? false,
    ...optional('stage', row.stage),
    ...optional('since', since === undefined ? undefined : utc(since)),
    ...optional('cause', cause?.code),
    ...optional('never', cause?.never),
    ...optional('node', row.node),
    ...optional('revision', row.hash),
    ...optional('ready', row.ready),
    ...optional('claim', row.claimName),
    ...optional('shutdownAt', shutdownAt === undefined ? undefined : utc(shutdownAt)),
  };
}

function detailOf({ row, reply, verdict }: Extract<ReadMember, { reply: ObjectReply }>): Bundle['details'][number] {
  return {
    name: row.name,
    uid: row.uid,
    verdict: withoutSecrets(verdict),
    sandbox: withoutSecrets(reply.object),
    pod: reply.pod ? withoutSecrets(reply.pod) : null,
    events:
      reply.events?.map(({ at, count, type, reason, message, from }) => ({
        ...optional('at', at === undefined ? undefined : utc(at)),
        count,
        type,
        reason,
        message: redactText(message),
        ...optional('from', from),
      })) ?? null,
  };
}

function unreadable({ kinds }: Freshness, read: readonly ReadMember[]): IncidentBundle['unreadable'] {
  const away = kinds.filter(({ state }) => state !== 'live');
  return [
    ...away.map(({ kind, state, reason }) => ({ what: kind, why: redactText(reason ?? state) })),
    ...read.flatMap((member) => {
      const what = `Sandbox ${member.row.name}`;
      if ('problem' in member) return [{ what, why: redactText(member.problem) }];
      const { events, eventsProblem = '' } = member.reply;
      return events === null ? [{ what: `${what}: Events`, why: redactText(eventsProblem) }] : [];
    }),
  ];
}

/** Most first; those without a value are in no count. */
function counted(values: readonly (string | undefined)[]): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
