import type { ServerResponse } from 'node:http';
import { stringify as toYaml } from 'yaml';
import { tableOf } from '../tables/table';
import type { Form } from '../wire/negotiation';
import { listJson, type Page, pageMeta, partialMetadata } from './lists';
import type { Target } from './reads';
import type { Answer, ResourceRequest } from './requests';
import { badRequest, StatusError } from './status';

export function sendJson(response: ServerResponse, code: number, json: string, contentType = 'application/json'): void {
  response.writeHead(code, { 'Content-Type': contentType });
  response.end(json);
}

export function sendText(
  response: ServerResponse,
  code: number,
  text: string,
  contentType = 'text/plain; charset=utf-8',
): void {
  response.writeHead(code, { 'Content-Type': contentType });
  response.end(text);
}

export function sendNotFound(response: ServerResponse): void {
  sendText(response, 404, '404 page not found\n');
}

/** The answer of the in-flight limit. */
export function sendTooManyRequests(response: ServerResponse): void {
  response.setHeader('Retry-After', 1);
  sendText(response, 429, 'Too many requests, please try again later.\n');
}

export function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status =
    error instanceof StatusError
      ? error
      : new StatusError(500, `Internal error occurred: ${String(error)}`, 'InternalError');
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  if (status.code === 413) response.setHeader('Connection', 'close');
  sendJson(response, status.code, JSON.stringify(status.body()));
}

/** All warnings of an answer; beyond this each is cut, and the rest left out (kube-apiserver's warning recorder). */
const WARNINGS_LIMIT = 4_096;
const CUT_WARNING = 256;

export function setWarnings(response: ServerResponse, warnings: readonly string[]): void {
  const all = [...new Set(warnings)].map(printable);
  let written = 0;
  const cut = all
    .map((text) => text.slice(0, CUT_WARNING))
    .filter((text) => {
      const fits = written < WARNINGS_LIMIT;
      written += text.length;
      return fits;
    });
  const texts = all.join('').length > WARNINGS_LIMIT ? cut : all;
  // A header is bytes, which Node takes as Latin-1.
  const headers = texts.map((text) => Buffer.from(`299 - ${JSON.stringify(text)}`).toString('latin1'));
  if (headers.length > 0) response.setHeader('Warning', headers);
}

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Control characters as Go's %q writes them: a header must not hold them. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return SHORT[character] ?? (code.length < 3 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`);
  });
}

/** What of an object a row of a Table holds. */
export function includeObject(query: URLSearchParams): string {
  const wanted = query.get('includeObject') || 'Metadata';
  if (['Metadata', 'Object', 'None'].includes(wanted)) return wanted;
  const why = `Invalid value: ${JSON.stringify(wanted)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${why}`);
}

export function sendList(
  response: ServerResponse,
  target: Target,
  page: Page,
  form: Form,
  query: URLSearchParams,
): void {
  const objects = page.versions.map(({ object }) => object);
  switch (form) {
    case 'table': {
      const table = tableOf(target.kind, objects, pageMeta(page), includeObject(query));
      sendJson(response, 200, JSON.stringify(table));
      break;
    }
    case 'metadata': {
      const type = target.kind.isCustom !== true ? `v1.${target.kind.listKind}` : 'unstructured.UnstructuredList';
      const why = `you requested PartialObjectMetadata, but the requested object is a list (*${type})`;
      throw new StatusError(406, why, 'NotAcceptable');
    }
    case 'metadataList': {
      const envelope = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: pageMeta(page) };
      sendJson(
        response,
        200,
        JSON.stringify({ ...envelope, items: objects.length === 0 ? null : objects.map(partialMetadata) }),
      );
      break;
    }
    case 'yaml':
      sendJson(response, 200, toYaml(JSON.parse(listJson(target, page))), 'application/yaml');
      break;
    default:
      sendJson(response, 200, listJson(target, page));
  }
}

export function sendAnswer(response: ServerResponse, answer: Answer, form: Form, request: ResourceRequest): void {
  const { code, json, body, object } = answer;
  setWarnings(response, request.warnings);
  if (form === 'yaml') {
    sendJson(response, code, toYaml(body), 'application/yaml');
  } else if (object !== undefined && form === 'table') {
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    const table = tableOf(request.target.kind, [object], metadata, includeObject(request.query));
    sendJson(response, code, JSON.stringify(table));
  } else if (object !== undefined && form === 'metadata') {
    sendJson(response, code, JSON.stringify(partialMetadata(object)));
  } else {
    sendJson(response, code, json ?? JSON.stringify(body));
  }
}
