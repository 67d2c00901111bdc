import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { incidentBundle as schema } from '@/lib/contracts/incident-bundle';
import type { SandboxRow } from '@/lib/contracts/rows';
import { type BundleWords, bundleMarkdown } from '@/lib/domain/bundle/bundle-markdown';
import { incidentBundle, type ReadMember } from '@/lib/domain/bundle/incident-bundle';
import { standardLimits } from '@/lib/domain/limits';
import { mask, secretAnnotations } from '@/lib/domain/redact';
import { locales } from '@/lib/i18n/locales';
import { messagesOf } from '@/lib/i18n/messages';
import { readRecording } from '@/server/testing/play';
import { parseDocuments, sortObjects } from './files';
import { Neighbours } from './neighbours';
import { worldAt } from './play';
import { verdictsOf } from './verdicts';
import type { World } from './world';

const cluster = { name: 'lab-1', server: 'https://10.0.0.1:6443', version: 'v1.35.0', embedded: false, missing: [] };

function wordsOf(locale: (typeof locales)[number]): BundleWords {
  const { diagnosis, domain, sandboxes, stuck, triage } = messagesOf(locale);
  return {
    verdict: { ...diagnosis, says: { ...sandboxes.says, ...diagnosis.says } },
    state: domain.state,
    cause: domain.cause,
    said: stuck.owner.said,
    bundle: triage.bundle,
  };
}

/** Of the sandboxes of a world, as a page has them: but with their objects as they are, nothing masked. */
function bundleOf(
  world: World,
  of: (row: SandboxRow) => boolean = () => true,
  over: Partial<Parameters<typeof incidentBundle>[0]> = {},
) {
  const at = new Neighbours(world);
  const verdicts = verdictsOf(world);
  const read = [...at.rows].flatMap(([key, row]): ReadMember[] => {
    const object = world.objects.sandboxes.get(key);
    const verdict = verdicts.find(({ subject }) => subject.uid === row.uid);
    if (!of(row) || !object || !verdict) return [];
    const pod = world.objects.pods.get(key);
    const reply = { time: world.now, object, events: at.eventsOf(object) ?? null, ...(pod ? { pod } : {}) };
    return [{ row, reply, verdict }];
  });
  const kinds = [{ kind: 'sandboxes', state: 'live' as const, provenAt: world.now }];
  return incidentBundle({
    scope: { ns: read[0]?.row.ns ?? 'x' },
    rows: read.map(({ row }) => row),
    read,
    marks: [],
    freshness: { kinds, cluster },
    limits: standardLimits,
    link: 'http://console.local/stuck?cohort=x',
    now: world.now,
    ...over,
  });
}

/** Values that no bundle may hold: of annotations with credentials, and of environment variables. */
function secretsOf(world: World): string[] {
  const found: string[] = [];
  const walk = (value: unknown, key: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) {
        if (key === 'env' && typeof item?.value === 'string') found.push(item.value);
        walk(item, '');
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) {
        if (key === 'annotations' && secretAnnotations.has(name)) found.push(String(item));
        walk(item, name);
      }
    }
  };
  for (const kind of [world.objects.sandboxes, world.objects.pods])
    for (const object of kind.values()) walk(object, '');
  // Short ones are words that stand elsewhere too.
  return found.filter((value) => value.length >= 8);
}

const recordings = readdirSync(path.join(import.meta.dirname, '../testing/recordings')).map((file) =>
  file.replace('.jsonl', ''),
);

describe('a bundle', () => {
  it.each(recordings)('of %s is as its schema says, and holds no credential and no value of a variable', (name) => {
    const world = worldAt(readRecording(name), undefined);
    const bundle = bundleOf(world);
    const json = JSON.stringify(bundle);
    expect(schema.parse(JSON.parse(json)).details).toHaveLength(bundle.details.length);
    const texts = [json, ...locales.map((locale) => bundleMarkdown(bundle, wordsOf(locale)))];
    for (const text of texts) {
      for (const secret of secretsOf(world)) expect(text).not.toContain(secret);
      for (const annotation of secretAnnotations) expect(text).not.toContain(annotation);
      expect(text).not.toMatch(/undefined|\{\w+\}: |NaN/);
    }
    expect(json.match(/"env":\[\{"name":"[^"]*","value":"(?!•••)/)).toBeNull();
  });

  it('of objects full of secrets holds none of them', () => {
    const text = readFileSync(
      path.join(import.meta.dirname, '../../lib/domain/fixtures/secrets-in-annotations.yaml'),
      'utf8',
    );
    const { objects, complete } = sortObjects(parseDocuments(text, 'case'));
    const none = new Map<string, never>();
    const world: World = {
      objects,
      complete,
      observed: none,
      changed: none,
      below: none,
      scaled: none,
      now: Date.parse('2026-11-03T08:00:00Z'),
      skew: 0,
    };
    const secrets = secretsOf(world);
    expect(secrets.length).toBeGreaterThan(2);
    const bundle = bundleOf(world);
    const texts = [JSON.stringify(bundle), bundleMarkdown(bundle, wordsOf('en'))];
    for (const each of texts) for (const secret of secrets) expect(each).not.toContain(secret);
    expect(texts[0]).toContain(mask);
  });
});

describe('the resume that hangs, as Markdown', () => {
  const world = worldAt(readRecording('resume-stuck-digest-init-container'), 90);
  const stuck = (row: SandboxRow) => row.state === 'Resuming';
  const bundle = bundleOf(world, stuck, {
    scope: { ns: 'rec', state: 'Resuming', cause: 'InitImageMismatch' },
    marks: [
      {
        id: 'm',
        version: 1,
        scope: { ns: 'rec' },
        kind: 'ack',
        by: 'mara',
        at: world.now,
        note: 'see [here](http://x) token=abcdefgh12',
      },
    ],
  });
  const text = bundleMarkdown(bundle, wordsOf('en'));

  it('says what, since when by which clock, why and how sure, with the two values and the way out', () => {
    expect(text).toMatch(/^# \d+ × Resuming: Image spec ≠ status\n/);
    expect(text).toContain('| Clock of all times | the cluster’s, with which');
    expect(text).toContain('| Limits | amber after 30s, red after 2m |');
    expect(text).toContain('**InitImageMismatch** (certain, never converges)');
    expect(text).toMatch(/✕ Init images: spec equals status/);
    expect(text).toMatch(/spec {3}\S+@sha256:/);
    expect(text).toMatch(/1\. .+tag/);
    expect(text).toContain('<http://console.local/stuck?cohort=x>');
    expect(text).toMatch(/kubectl -n sandbox-system logs \S+ .*\| grep -F -e /);
    expect(text).toMatch(/\| SandboxResumed|\| Ready \|/);
    expect(text).toContain('**Events**');
  });

  it('takes a note for text: no link of it, no credential in it', () => {
    expect(text).toContain('mara is on it');
    expect(text).toContain('see \\[here\\](http://x) token=•••');
  });

  it('is in the reader’s language', () => {
    const chinese = bundleMarkdown(bundle, wordsOf('zh-CN'));
    expect(chinese).toContain('## 未能读取');
    expect(chinese).not.toContain('Not readable');
  });

  it('counts all of a big cohort, and says how many are shown', () => {
    const [row] = [...new Neighbours(world).rows.values()].filter(stuck);
    if (!row) throw new Error('nothing hangs');
    const rows = Array.from({ length: 5_000 }, (_, i) => ({
      ...row,
      uid: `u-${i}`,
      name: `box-${i}`,
      node: `node-${i % 3}`,
    }));
    const big = bundleOf(world, stuck, {
      rows,
      read: [{ row: rows[0] ?? row, problem: 'sandboxes "box-0" is forbidden' }],
    });
    expect(big.cohort).toMatchObject({ count: 5_000, nodes: [{ value: 'node-0', count: 1_667 }, {}, {}] });
    expect([big.members.length, big.membersLeftOut]).toEqual([500, 4_500]);
    const said = bundleMarkdown(big, wordsOf('en'));
    expect(said).toContain(
      'The table shows 20 of 5000, worst first. The JSON file lists 500 of 5000; the rest is counted. In detail: 0 of 5000.',
    );
    expect(said).toContain('- Sandbox box-0: sandboxes "box-0" is forbidden');
    expect(said.length).toBeLessThan(20_000);
  });
});
