import { label } from '../../controllers/rules/keys';
import type { Seen } from './recording';

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {};

const uid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const address = /\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g;
const image = /sha256:[0-9a-f]{64}/g;
// Exact times of a run, as Go prints them; whole seconds are settings.
const measured = /\b\d+\.\d+(?:m?s)\b/g;

// What generated names end in, and how long what they begin with may be (k8s.io/apiserver/pkg/storage/names).
const letters = 'bcdfghjklmnpqrstvwxz2456789';
const longestPrefix = 58;

/**
 * What differs between two runs of the same steps, made comparable: generated names become `web-*`, hashes `rev1`, `rev2` … in the
 * order in which they came up, and uids, times and addresses their kind.
 */
export class Neutral {
  private readonly words = new Map<string, string>();
  private readonly prefixes = new Set<string>();
  private readonly hashes = new Map<string, string[]>();
  private revisions = 0;
  private readonly pattern: RegExp;

  constructor(events: Seen[], namespace: string) {
    this.words.set(namespace, 'NS');
    for (const { kind, object } of events) this.learn(kind, object);
    const longestFirst = [...this.words.keys()].sort((a, b) => b.length - a.length);
    const members = [...this.prefixes].map((prefix) => `${quote(prefix)}[${letters}]{5}`);
    this.pattern = new RegExp(`(?<!\\w)(?:${[...members, ...longestFirst.map(quote)].join('|')})(?!\\w)`, 'g');
  }

  text(value: string): string {
    return value
      .replace(this.pattern, (word) => this.words.get(word) ?? `${word.slice(0, -5)}*`)
      .replace(uid, 'UID')
      .replace(time, 'TIME')
      .replace(address, 'IP')
      .replace(image, 'sha256:ID')
      .replace(measured, 'TIME');
  }

  /** A hash of the sandbox (or Pod) of that name: one's hashes are not another's. */
  hash(name: string, value: string): string {
    const known = this.hashes.get(name) ?? [];
    if (!known.includes(value)) known.push(value);
    this.hashes.set(name, known);
    return `hash${known.indexOf(value) + 1}`;
  }

  private learn(kind: string, object: Seen['object']): void {
    const { name, generateName, labels } = object.metadata;
    const { spec, status } = object as { spec?: unknown; status?: unknown };
    if (typeof generateName === 'string') this.words.set(name, `${generateName}*`);
    // Also the names of members that the API server refused to make: only texts have them.
    if (kind === 'sandboxsets') this.prefixes.add(`${name}-`.slice(0, longestPrefix));
    const { nodeName, sandboxName: sandbox } = fields(spec);
    if (kind === 'pods' && typeof nodeName === 'string') this.words.set(nodeName, 'NODE');
    if (kind === 'checkpoints' && typeof sandbox === 'string') this.words.set(name, `${sandbox}-*`);
    if (kind === 'sandboxsets') this.revision(fields(status).updateRevision);
    if (kind === 'sandboxes') this.revision(labels?.[label.templateHash]);
  }

  /** Pools' revisions, which are also in the names of their templates. */
  private revision(value: unknown): void {
    if (typeof value !== 'string' || value === '' || this.words.has(value)) return;
    this.revisions += 1;
    this.words.set(value, `rev${this.revisions}`);
  }
}

const quote = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
