import { annotation } from '../../controllers/rules/keys';
import { sandboxState } from '../../controllers/rules/state';
import { type Answer, Refusal } from './answers';
import type { Call } from './call';
import { idOf, metadataOf, type ShownState, sandboxView } from './sandbox-view';

const mostItems = 100;

/** `GET /v2/sandboxes`: one's own that run or are paused, oldest claim first, a page at a time. Without tokens. */
export function listSandboxes({ manager, user, query, host }: Call): Answer {
  const limit = limitOf(query);
  const states = statesOf(query);
  const wanted = filtersOf(query);
  const all = manager.cluster.sandboxes
    .lookup('claim', user.id)
    .flatMap((sandbox) => {
      const state = sandboxState(sandbox);
      return isListed(state) && states.includes(state) ? [{ sandbox, state }] : [];
    })
    .filter(({ sandbox }) => {
      const metadata = metadataOf(sandbox);
      return wanted.every(([key, value]) => metadata[key] === value);
    })
    .map((one) => ({ ...one, place: { key: claimedAt(one.sandbox), id: idOf(one.sandbox) } }))
    .sort((a, b) => order(a.place, b.place));
  return page(all, limit, query.get('nextToken'), ({ sandbox, state }) => sandboxView(sandbox, state, host, false));
}

const claimedAt = (sandbox: { metadata: { annotations?: Record<string, string> | undefined } }) =>
  sandbox.metadata.annotations?.[annotation.claimTimestamp] ?? '';

const isListed = (state: string): state is ShownState => state === 'running' || state === 'paused';

interface Place {
  key: string;
  id: string;
}

function order(a: Place, b: Place): number {
  const [field] = (['key', 'id'] as const).filter((name) => a[name] !== b[name]);
  return field === undefined ? 0 : a[field] < b[field] ? -1 : 1;
}

/** The part of a sorted list that comes after the token's place. A token that cannot be read is no token (recorded: list). */
export function page<T extends { place: Place }>(
  all: T[],
  limit: number,
  token: string | null,
  view: (item: T) => unknown,
): Answer {
  const after = placeOf(token);
  const left = after === undefined ? all : all.filter(({ place }) => order(place, after) > 0);
  const items = left.slice(0, limit);
  const last = items.at(-1);
  const next = last === undefined || left.length <= limit ? {} : { 'X-Next-Token': tokenOf(last.place) };
  return { status: 200, body: items.map(view), headers: next };
}

const tokenOf = ({ key, id }: Place): string => Buffer.from(JSON.stringify({ key, id })).toString('base64url');

function placeOf(token: string | null): Place | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(token ?? '', 'base64url').toString('utf8'));
    if (typeof place !== 'object' || place === null || !('key' in place) || !('id' in place)) return undefined;
    return { key: String(place.key), id: String(place.id) };
  } catch {
    return undefined;
  }
}

/** @throws Refusal 400 */
export function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? String(mostItems);
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= mostItems) return limit;
  throw new Refusal(400, `Invalid limit: ${text}, must be between 1 and ${mostItems}`);
}

function statesOf(query: URLSearchParams): ShownState[] {
  const states = (query.get('state') || 'running,paused').split(',');
  return states.map((state) => {
    if (isListed(state)) return state;
    throw new Refusal(400, `Only 'running' and 'paused' state are supported, not: '${state}'`);
  });
}

/** Whatever is not known is taken for metadata, so that a filter of a newer client finds nothing (recorded: list). */
function filtersOf(query: URLSearchParams): [string, string][] {
  const known = new Set(['limit', 'state', 'nextToken', 'metadata']);
  const escaped = query.get('metadata') ?? '';
  const wrong = /%(?![0-9a-f]{2}).{0,2}/i.exec(escaped);
  if (wrong !== null) throw new Refusal(400, `Invalid metadata format: invalid URL escape "${wrong[0]}"`);
  return [...new URLSearchParams(escaped), ...[...query].filter(([key]) => !known.has(key))];
}
