import http, { type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { bearer } from '../../embedded/apiserver/auth/people';
import { argumentOf, ended, say, untilFinished } from './program-io';

/** A plain watch client: no console can be earlier than this. */
const { url } = argumentOf(z.object({ url: z.string() }));
const headers = bearer('admin');
const path = '/apis/agents.kruise.io/v1alpha1/sandboxes';
const list = z.looseObject({ metadata: z.looseObject({ resourceVersion: z.string() }) });

const first: unknown = await (await fetch(`${url}${path}?limit=1`, { headers })).json();
const { resourceVersion } = list.parse(first).metadata;
const signal = untilFinished();
const lateness: number[] = [];
let startedAt = 0;

const answer = await new Promise<IncomingMessage>((resolve, reject) => {
  const query = `?watch=true&resourceVersion=${encodeURIComponent(resourceVersion)}`;
  http.get(`${url}${path}${query}`, { headers }, resolve).on('error', reject);
});
let open = '';
answer.setEncoding('utf8');
answer.on('data', (chunk: string) => {
  const lines = (open + chunk).split('\n');
  open = lines.pop() ?? '';
  for (const line of lines) {
    const stamp = Number(/"t=(\d{13})"/.exec(line)?.[1]);
    if (stamp >= startedAt) lateness.push(Date.now() - stamp);
  }
});
startedAt = Date.now();
say('ready');
await ended(signal);
say({ seconds: (Date.now() - startedAt) / 1000, lateness });
process.exit();
