import http, { type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { bearer } from '../../embedded/apiserver/auth/people';
import { percentile } from '../figures';
import { argumentOf, ended, say, untilFinished } from './program-io';

/** Many plain watch clients of the API server at once, which take every event. */
const { url, clients } = argumentOf(z.object({ url: z.string(), clients: z.number() }));
const headers = bearer('admin');
const path = '/apis/agents.kruise.io/v1alpha1/sandboxes';
const list = z.looseObject({ metadata: z.looseObject({ resourceVersion: z.string() }) });
const NEWLINE = 0x0a;
const VERSION = '"resourceVersion":"';
const STAMP = '"t=';
const patienceMs = 15_000;
const signal = untilFinished();
const lateness: number[] = [];
/** The versions that each client has been told of. */
const told: number[][] = Array.from({ length: clients }, () => []);
let startedAt = Number.POSITIVE_INFINITY;

async function version(): Promise<number> {
  const page: unknown = await (await fetch(`${url}${path}?limit=1`, { headers })).json();
  return Number(list.parse(page).metadata.resourceVersion);
}

async function watch(from: number, versions: number[]): Promise<void> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const agent = new http.Agent();
    http.get(`${url}${path}?watch=true&resourceVersion=${from}`, { headers, agent }, resolve).on('error', reject);
  });
  let open: Buffer = Buffer.alloc(0);
  answer.on('data', (chunk: Buffer) => {
    const bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      take(bytes.subarray(start, end), versions);
      start = end + 1;
    }
    open = bytes.subarray(start);
  });
}

/** Looks at the bytes alone: making texts of so many events would be more work than the API server has with them. */
function take(line: Buffer, versions: number[]): void {
  versions.push(numberAfter(line, VERSION, line.indexOf(VERSION)));
  const stamp = numberAfter(line, STAMP, line.lastIndexOf(STAMP));
  if (stamp >= startedAt) lateness.push(Date.now() - stamp);
}

function numberAfter(line: Buffer, word: string, at: number): number {
  return at < 0 ? Number.NaN : Number.parseInt(line.toString('latin1', at + word.length, at + word.length + 16), 10);
}

const first = await version();
await Promise.all(told.map((versions) => watch(first, versions)));
startedAt = Date.now();
say('ready');
await ended(signal);
const seconds = (Date.now() - startedAt) / 1000;
const timely = [...lateness];
const last = await version();
const upToLast = () => told.map((versions) => versions.filter((each) => each <= last));
// What happened until now is waited for; how late it comes is told by what came in time.
const all = () => new Set(upToLast().flat());
for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(200)) {
  if (told.every((versions) => (versions.at(-1) ?? 0) >= last)) break;
}
const changes = all();
const missed = upToLast().reduce((sum, versions) => sum + changes.size - new Set(versions).size, 0);
const repeated = upToLast().reduce((sum, versions) => sum + versions.length - new Set(versions).size, 0);
say({
  changes: changes.size,
  missed,
  repeated,
  seconds,
  p50: percentile(timely, 0.5) ?? null,
  p99: percentile(timely, 0.99) ?? null,
});
process.exit();
