import type { IncomingMessage } from 'node:http';
import { parse as parseYaml } from 'yaml';
import { badRequest, StatusError, unsupportedMediaType } from '../core/status';
import { jsonProblem, parseJson } from './json-problem';
import { decodeProtobuf } from './protobuf';

const LIMIT = 3 * 1024 * 1024;
const OBJECT_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** A request body and what it is. */
export interface Body {
  contentType: string;
  bytes: Buffer;
  text: string;
}

export const NO_BODY: Body = { contentType: '', bytes: Buffer.alloc(0), text: '' };

/** Reads a body; more than 3 MiB is refused with 413. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > LIMIT) {
      // The rest is taken in and dropped, so that the client gets to read the answer.
      request.resume();
      throw new StatusError(413, `Request entity too large: limit is ${LIMIT}`, 'RequestEntityTooLarge');
    }
    chunks.push(chunk);
  }
  const [contentType = ''] = (request.headers['content-type'] ?? '').split(';');
  const bytes = Buffer.concat(chunks);
  return { contentType: contentType.trim().toLowerCase(), bytes, text: bytes.toString('utf8') };
}

/** A value of YAML as JSON holds it. @throws Error for one that contains itself, in the words of Go's YAML */
export function plainJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    throw new Error('anchor value contains itself');
  }
}

/** The object in a body that should hold one; `wanted` is the kind to name when it is not readable. */
export function parseObject({ contentType, bytes, text }: Body, wanted: string): unknown {
  if (contentType === 'application/vnd.kubernetes.protobuf') {
    const object = decodeProtobuf(bytes);
    if (object !== undefined) return object;
  }
  if (contentType === 'application/yaml') {
    try {
      return plainJson(parseYaml(text, { logLevel: 'error' }));
    } catch (error) {
      const [why] = String(error instanceof Error ? error.message : error).split('\n');
      throw badRequest(`the object provided is unrecognized (must be of type ${wanted}): yaml: ${why}`);
    }
  }
  if (contentType !== '' && contentType !== 'application/json') throw unsupportedMediaType(OBJECT_TYPES);
  try {
    return parseJson(text);
  } catch {
    const why = jsonProblem(text);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${wanted}): couldn't get version/kind; json parse error: ${why} (${text.slice(0, 100)})`,
    );
  }
}
