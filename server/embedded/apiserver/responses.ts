import type { ServerResponse } from 'node:http';
import { stringify as toYaml } from 'yaml';
import { listJson, type Page, pageMeta, partialMetadata } from './lists';
import type { Form } from './negotiation';
import type { Answer, ResourceRequest } from './resource-handler';
import { StatusError } from './status';
import { tableOf } from './tables/table';
import type { Target } from './writes';

export function sendJson(response: ServerResponse, code: number, json: string, contentType = 'application/json'): void {
  response.writeHead(code, { 'Content-Type': contentType });
  response.end(json);
}

export function sendText(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(text);
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

export function setWarnings(response: ServerResponse, warnings: readonly string[]): void {
  const texts = [...new Set(warnings)].map((text) => `299 - ${JSON.stringify(text)}`);
  if (texts.length > 0) response.setHeader('Warning', texts);
}

const includeObject = (query: URLSearchParams) => query.get('includeObject') ?? 'Metadata';

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
      const envelope = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: pageMeta(page) };
      sendJson(response, 200, JSON.stringify({ ...envelope, items: objects.map(partialMetadata) }));
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
