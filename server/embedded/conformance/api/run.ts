import type { Client, OpenWatch } from '../client';
import { comparable, differences } from '../comparable';
import type { Report } from '../result';
import { type Answer, readAnswers, writeAnswers } from './answers';
import { install, uninstallAll } from './installing';
import type { Request, Script } from './script';
import { themes } from './scripts/index';
import { learn, parseBody, perform, sentOf } from './sending';

/** How many scripts run side by side. */
const LANES = 6;
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Runs every script; answers are compared with those of kube-apiserver, or written down as such. */
export async function runApiScripts(client: Client, report: Report, record: boolean): Promise<void> {
  const recorded: { check: string; request: string; answer: Answer }[] = [];
  const known = record ? new Map<string, Answer>() : readAnswers();
  await install(client);
  try {
    const all = Object.entries(themes).flatMap(([theme, scripts]) =>
      Object.entries(scripts).map(([title, script]) => ({ theme, title, script, checked: [] as Checked[] })),
    );
    const queue = [...all];
    const lane = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { title, script, checked } = next;
        await runScript(client, title, script, (one) => checked.push(one));
      }
    };
    // Each has a namespace of its own, so they do not see each other.
    await Promise.all(Array.from({ length: LANES }, lane));
    for (const { theme, checked } of all) {
      for (const { name, request, answer } of checked) {
        if (record) recorded.push({ check: name, request, answer });
        const details = record ? [] : judge(known.get(name), answer);
        const outcome = details.length === 0 ? 'passed' : 'failed';
        report({ suite: 'api', group: theme, name: `${name} · ${request}`, outcome, details });
      }
    }
  } finally {
    await uninstallAll(client);
  }
  if (record) writeAnswers(recorded);
}

const judge = (expected: Answer | undefined, got: Answer): string[] =>
  expected === undefined ? ['no answer is recorded for this request'] : differences({ ...expected }, { ...got });

interface Checked {
  name: string;
  request: string;
  answer: Answer;
}

let runs = 0;

async function runScript(client: Client, title: string, script: Script, check: (checked: Checked) => void) {
  runs += 1;
  const namespace = `conf-${process.pid.toString(36)}${Date.now().toString(36).slice(-4)}-${runs}`;
  const values = new Map([['ns', namespace]]);
  const watches = new Map<string, OpenWatch>();
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await client.send({ method: 'POST', path: '/api/v1/namespaces', headers: JSON_TYPE, body });
  try {
    for (const [index, step] of script.entries()) {
      if (step.open !== undefined) {
        watches.set(step.open, await client.watch(sentOf(step, values)));
        continue;
      }
      const received = await perform(client, step, values, watches);
      const parsed = parseBody(received.text);
      learn(parsed, step.keep, values);
      const { status, warning, retryAfter } = received;
      const answer: Answer = {
        status,
        ...(warning === undefined ? {} : { warning }),
        ...(retryAfter === undefined ? {} : { retryAfter }),
        body:
          step.codeOnly === true ? null : comparable(parsed, { namespace, managedFields: step.managedFields === true }),
      };
      check({ name: `${title} ${index + 1}`, request: requestText(step), answer });
    }
  } finally {
    for (const watch of watches.values()) watch.close();
    await client.send({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
  }
}

function requestText({ line, as, type }: Request): string {
  return `${line.slice(0, 200)}${type === undefined ? '' : ` ${type}`}${as === undefined ? '' : ` as ${as}`}`;
}
