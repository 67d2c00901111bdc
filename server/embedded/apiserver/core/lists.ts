import { jsonProblem, jsonType } from '../wire/json-problem';
import { apiVersionOf } from './kind-definition';
import { checkListOptions, invalidListVersion, versionIn } from './list-options';
import { isFields, type KubeObject } from './objects';
import type { Target } from './reads';
import { matcherFor } from './selectors';
import { collectionOf, shownAs } from './shapes';
import { badRequest, expired, StatusError, tooLargeResourceVersion } from './status';
import type { Storage, Version } from './storage';

/** One page of a list. */
export interface Page {
  versions: Version[];
  resourceVersion: string;
  /** Token of the next page, '' after the last one. */
  continue: string;
  /** Objects after this page; not known with a selector. */
  remainingItemCount?: number;
}

interface Token {
  v: string;
  /** -1 stands for the present state: the list goes on, no longer consistent with its first page. */
  rv: number;
  start: string;
}

const TOKEN_VERSION = 'meta.k8s.io/v1';

function encodeToken(rv: number, start: string): string {
  const token: Token = { v: TOKEN_VERSION, rv, start: `${start}\0` };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

function decodeToken(text: string): { rv: number; start: string } {
  const json = Buffer.from(text, 'base64url').toString('latin1');
  const invalid = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  let token: Partial<Token> | null;
  try {
    token = JSON.parse(json);
  } catch {
    throw invalid(jsonProblem(json));
  }
  token ??= {};
  if (!isFields(token)) {
    throw invalid(`json: cannot unmarshal ${jsonType(token)} into Go value of type storage.continueToken`);
  }
  if (token.v !== TOKEN_VERSION || typeof token.rv !== 'number' || typeof token.start !== 'string') {
    throw invalid('server does not recognize this encoded version ');
  }
  return { rv: token.rv, start: token.start.replace(/^\//, '').replace(/\0$/, '') };
}

/** A whole number in a query, or undefined where there is none. */
export function integerIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** Get and list of a version that does not exist yet are asked to come back later. */
export function notOlderThan(storage: Storage, version: number | undefined): number | undefined {
  if (version !== undefined && version > storage.resourceVersion) {
    throw tooLargeResourceVersion(version, storage.resourceVersion);
  }
  return version;
}

export function list(storage: Storage, { kind, namespace }: Target, query: URLSearchParams): Page {
  const limit = Math.max(0, integerIn(query, 'limit') ?? 0);
  const labelSelector = query.get('labelSelector') ?? '';
  const fieldSelector = query.get('fieldSelector') ?? '';
  const matches = matcherFor('', labelSelector, fieldSelector, kind);
  checkListOptions(query, false);
  const match = query.get('resourceVersionMatch') ?? '';
  const token = query.get('continue') ?? '';
  const version = query.get('resourceVersion') ?? '';
  if (token !== '' && version !== '' && version !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const wanted = notOlderThan(storage, versionIn(query, invalidListVersion));
  const resumed = token === '' ? undefined : decodeToken(token);
  // A page at a version that says nothing of how to match it is meant to be exactly that one.
  const isExact = match === 'Exact' || (match === '' && limit > 0 && version !== '0');
  const exact = resumed?.rv ?? (isExact ? wanted : undefined);
  const at = exact === undefined || exact < 0 ? storage.resourceVersion : exact;
  const prefix = namespace === '' ? '' : `${namespace}/`;

  const snapshot = storage.collection(collectionOf(kind)).snapshotAt(at);
  if (snapshot === undefined) {
    if (resumed === undefined) throw expired('The resourceVersion for the provided list is too old.');
    throw expiredToken(encodeToken(-1, resumed.start));
  }
  const { keys } = snapshot;
  const unlimited = limit === 0 || version === '0';
  const versions: Version[] = [];
  let index = resumed === undefined ? firstFrom(keys, prefix) : firstFrom(keys, `${prefix}${resumed.start}\0`);
  for (; index < keys.length; index += 1) {
    const key = keys[index] ?? '';
    if (!key.startsWith(prefix)) break;
    if (!unlimited && versions.length === limit) break;
    const stored = snapshot.get(key);
    const item = stored && shownAs(kind, stored);
    if (item === undefined || (matches !== undefined && !matches(item.object))) continue;
    versions.push(item);
  }
  const resourceVersion = String(at);
  const rest = countFrom(keys, index, prefix);
  const last = versions.at(-1);
  if (unlimited || rest === 0 || last === undefined) return { versions, resourceVersion, continue: '' };
  return {
    versions,
    resourceVersion,
    // The token is relative to the namespace that is listed.
    continue: encodeToken(at, `/${last.key.slice(prefix.length)}`),
    ...(matches === undefined ? { remainingItemCount: rest } : {}),
  };
}

function expiredToken(token: string): StatusError {
  const message =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
  return new ExpiredToken(410, message, token);
}

/** 410 for a continue token: the answer itself carries a token to go on with. */
class ExpiredToken extends StatusError {
  constructor(
    code: number,
    message: string,
    readonly token: string,
  ) {
    super(code, message, 'Expired');
  }

  override body(): object {
    return { ...super.body(), metadata: { continue: this.token } };
  }
}

function firstFrom(keys: readonly string[], start: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countFrom(keys: readonly string[], index: number, prefix: string): number {
  if (prefix === '') return keys.length - index;
  // '0' follows '/' in the order of keys, so this is the first key behind the namespace.
  return Math.max(0, firstFrom(keys, `${prefix.slice(0, -1)}0`) - index);
}

/** The metadata of a page. */
export function pageMeta(page: Page): object {
  return {
    resourceVersion: page.resourceVersion,
    ...(page.continue === '' ? {} : { continue: page.continue }),
    ...(page.remainingItemCount === undefined ? {} : { remainingItemCount: page.remainingItemCount }),
  };
}

/** The metadata of a list of whole objects; custom resources write `continue` even when it is empty. */
export function listMeta({ kind }: Target, page: Page): object {
  return kind.isCustom !== true ? pageMeta(page) : { continue: '', ...pageMeta(page) };
}

/** A list as JSON, put together from the versions' own JSON. Items of core kinds carry no kind and apiVersion. */
export function listJson(target: Target, page: Page): string {
  const { kind } = target;
  const apiVersion = apiVersionOf(kind);
  const envelope = JSON.stringify({ kind: kind.listKind, apiVersion, metadata: listMeta(target, page) });
  const typed = JSON.stringify({ kind: kind.kind, apiVersion }).length;
  const items = page.versions.map(({ json }) => (kind.isCustom !== true ? `{${json.slice(typed)}` : json));
  return `${envelope.slice(0, -1)},"items":[${items.join(',')}]}`;
}

/** An object's metadata alone. */
export function partialMetadata(object: KubeObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}
