'use client';

import { useMessages } from 'next-intl';
import { useMemo } from 'react';
import type { ObjectReply } from '@/lib/contracts/objects';
import { objectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Mark, MarkScope } from '@/lib/contracts/triage';
import { type BundleWords, bundleMarkdown } from '@/lib/domain/bundle/bundle-markdown';
import { type Bundle, incidentBundle, mostDetails, type ReadMember } from '@/lib/domain/bundle/incident-bundle';
import { type LiveRows, neighboursOf, verdictOfRow } from '@/lib/domain/diagnosis/verdict-of-row';
import { longerOf, urgencyOf } from '@/lib/domain/urgency';
import type { AppMessages } from '@/lib/i18n/messages';
import { useLimits, useLiveStatus, useNow, useRows } from '@/lib/live';
import { readJson } from '@/lib/read-json';
import { problemOf } from '../../writes/api';

/** What an incident is about: rows with what they have in common, and where the console shows them (path and query). */
export interface Incident {
  scope: MarkScope;
  rows: readonly SandboxRow[];
  href: string;
  /** What was said of it; asked when the bundle is made. */
  marks?: () => readonly Mark[];
}

/** Objects that are read at a time: the page itself reads some too. */
const atOnce = 5;

export interface MadeBundle {
  bundle: Bundle;
  markdown: string;
}

/** Makes the bundle of an incident: reads the worst members whole, and puts together what the page knows. */
export function useBundle({ scope, rows, href, marks }: Incident): () => Promise<MadeBundle> {
  const now = useNow();
  const limits = useLimits();
  const { freshness } = useLiveStatus();
  const words = useBundleWords();
  const live: LiveRows = {
    sandboxes: useRows('sandboxes'),
    sandboxsets: useRows('sandboxsets'),
    sandboxupdateops: useRows('sandboxupdateops'),
    nodes: useRows('nodes'),
  };
  return async () => {
    if (!freshness) throw new Error('nothing was listed yet');
    const worst = (row: SandboxRow) => urgencyOf(row, now, limits) ?? Number.NEGATIVE_INFINITY;
    const longest = (row: SandboxRow) => longerOf(row) ?? Number.NEGATIVE_INFINITY;
    const sorted = [...rows].sort((a, b) => compare(worst(b), worst(a)) || compare(longest(b), longest(a)));
    const read: ReadMember[] = [];
    const first = sorted.slice(0, mostDetails);
    for (let from = 0; from < first.length; from += atOnce) {
      const some = first.slice(from, from + atOnce).map(async (row): Promise<ReadMember> => {
        const reply = await readMember(row);
        if ('problem' in reply) return { row, ...reply };
        const around = { ...neighboursOf(row, live), nodes: live.nodes };
        return { row, reply, verdict: verdictOfRow(row, reply, around, now, limits) };
      });
      read.push(...(await Promise.all(some)));
    }
    const link = new URL(href, window.location.origin).href;
    const bundle = incidentBundle({ scope, rows: sorted, read, marks: marks?.() ?? [], freshness, limits, link, now });
    return { bundle, markdown: bundleMarkdown(bundle, words) };
  };
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** What cannot be read is said in the bundle, in the words of who refused. */
async function readMember(row: SandboxRow): Promise<ObjectReply | { problem: string }> {
  const path = `/api/v1/objects/sandboxes/${encodeURIComponent(row.ns)}/${encodeURIComponent(row.name)}`;
  try {
    const reply = await readJson(objectReply, path);
    const { uid } = reply.object.metadata;
    // The answer for a name may be of its next bearer.
    return uid === row.uid ? reply : { problem: `uid ${row.uid} ≠ ${uid}` };
  } catch (error) {
    return { problem: problemOf(error as Error).message };
  }
}

function useBundleWords(): BundleWords {
  const messages = useMessages() as unknown as AppMessages;
  return useMemo(() => {
    const { diagnosis, domain, sandboxes, stuck, triage } = messages;
    return {
      verdict: { ...diagnosis, says: { ...sandboxes.says, ...diagnosis.says } },
      state: domain.state,
      cause: domain.cause,
      said: stuck.owner.said,
      bundle: triage.bundle,
    };
  }, [messages]);
}
