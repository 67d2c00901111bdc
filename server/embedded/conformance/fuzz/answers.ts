import { parse as parseYaml } from 'yaml';
import type { Answer } from './exchange';

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What kube-apiserver itself answers with 500 (recorded or asked), besides kubelets that cannot be reached. */
const ALLOWED_500 = [
  /^resourceVersion: Invalid value: /,
  /^resourceVersion should not be set on objects to be created$/,
  /^no preferred addresses found/,
  /^dial tcp /,
  /^failed to create typed patch object /,
  /^map: .* does not contain declared merge key: /s,
  /^Timeout: Too large resource version: /,
];

/** What kube-apiserver says in plain text. */
const PLAIN = ['400 Bad Request', '404 page not found\n', 'Too many requests, please try again later.\n'];

/** What is wrong with an answer; undefined where it is well-formed. */
export function problemOf(answer: Answer): string | undefined {
  const { status, type, text, partial } = answer;
  if (status >= 300 && status < 400) return `an answer of ${status}`;
  if (status >= 200 && status < 300) return partial || status === 204 ? undefined : problemOfSuccess(type, text);
  if (partial && text === '') return undefined;
  // What is no HTTP, and expectations that cannot be met (417, as Go's server), are answered before there is a request.
  if ((status === 400 || status === 417 || status === 431) && type === '' && text === '') return undefined;
  if (/^text\/plain/.test(type)) {
    return PLAIN.includes(text) ? undefined : `plain text ${JSON.stringify(text.slice(0, 100))}`;
  }
  const body = parsed(type, text);
  if (!isFields(body)) return `no object: ${JSON.stringify(text.slice(0, 200))}`;
  const { kind, apiVersion, status: word, code, message } = body;
  if (
    kind !== 'Status' ||
    apiVersion !== 'v1' ||
    word !== 'Failure' ||
    code !== status ||
    typeof message !== 'string' ||
    message === ''
  ) {
    return `no Status of ${status}: ${text.slice(0, 300)}`;
  }
  if (status >= 500 && status !== 501 && !ALLOWED_500.some((sentence) => sentence.test(message)))
    return `${status}: ${message.slice(0, 300)}`;
  return undefined;
}

function problemOfSuccess(type: string, text: string): string | undefined {
  if (/^text\/plain/.test(type)) return undefined;
  const body = parsed(type, text);
  if (body === undefined) return `neither JSON nor YAML (${type}): ${text.slice(0, 200)}`;
  return isFields(body) ? undefined : `no object: ${text.slice(0, 200)}`;
}

function parsed(type: string, text: string): unknown {
  try {
    if (/yaml/.test(type)) return parseYaml(text, { maxAliasCount: -1 });
    // A watch is a line for each event.
    return text.includes('}\n{')
      ? text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))[0]
      : JSON.parse(text);
  } catch {
    return undefined;
  }
}
