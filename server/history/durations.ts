import 'server-only';
import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { DurationFigures, DurationGroup } from '@/lib/contracts/history';
import type { History } from './database';
import { type Tables, unknownMs } from './tables';

export interface DurationQuestion {
  /** Undefined: all. */
  namespaces: readonly string[] | undefined;
  pool?: { ns: string; name: string } | undefined;
  node?: string | undefined;
  revision?: string | undefined;
  /** Stays that ended in between, epoch ms. */
  from: number;
  to: number;
  by: DurationGroup;
}

/** Stays of this long a time come as one text: a row for each would take a second a million. */
const pieceMs = 60_000;
/** Pieces that are read before others get their turn. */
const piecesAtOnce = 20;

interface Place {
  id: number;
  namespace: string;
  state: string;
  stage: string;
  gate: string;
  pool: string;
  node: string;
  revision: string;
}

/** Durations of one kind. */
interface Series {
  figures: Pick<DurationFigures, 'state' | 'stage' | 'gate' | 'group'>;
  unknown: number;
  values: number[];
}

/**
 * How long stays lasted, by state, stage and gate. Percentiles are of all values, by nearest rank.
 * @throws {HistoryUnavailable}
 */
export async function durationsOf(history: History, question: DurationQuestion): Promise<DurationFigures[]> {
  const { places, pieces } = await history.read(async (db) => ({
    places: await placesOf(db, question),
    pieces: await piecesOf(db, question),
  }));
  const series = new Map<string, Series>();
  const targets = new Map(places.map((place) => [place.id, seriesOf(place, question.by, series)]));
  for (const [index, piece] of pieces.entries()) {
    for (const stay of piece.split(',')) count(stay, targets);
    if (index % piecesAtOnce === 0) await setImmediate();
  }
  const found = [...series.values()].filter(({ unknown, values }) => unknown + values.length > 0);
  const figures: DurationFigures[] = [];
  for (const one of found) {
    figures.push(figuresOf(one));
    await setImmediate();
  }
  return figures.sort((a, b) => order(a).localeCompare(order(b)));
}

const order = ({ state, stage = '', gate = '', group = '' }: DurationFigures) => [state, stage, gate, group].join('\n');

function chosen(db: Kysely<Tables>, { namespaces, pool, node, revision }: DurationQuestion) {
  let query = db.selectFrom('place');
  if (namespaces) query = query.where('namespace', 'in', namespaces.length > 0 ? namespaces : ['']);
  if (pool) query = query.where('namespace', '=', pool.ns).where('pool', '=', pool.name);
  if (node !== undefined) query = query.where('node', '=', node);
  if (revision !== undefined) query = query.where('revision', '=', revision);
  return query;
}

const placesOf = (db: Kysely<Tables>, question: DurationQuestion): Promise<Place[]> =>
  chosen(db, question).select(['id', 'namespace', 'state', 'stage', 'gate', 'pool', 'node', 'revision']).execute();

/** `place:ms:stage:state,…`, as they are stored; nothing for what is null. */
async function piecesOf(db: Kysely<Tables>, question: DurationQuestion): Promise<string[]> {
  const isNarrow =
    question.pool || question.node !== undefined || question.revision !== undefined || question.namespaces;
  const value = (column: 'stage_ms' | 'state_ms') => sql`coalesce(cast(${sql.ref(column)} as text), '')`;
  const text = sql<string>`cast(place as text) || ':' || cast(ms as text) || ':' || ${value('stage_ms')} || ':' || ${value('state_ms')}`;
  const all = db
    .selectFrom('stay')
    .select(sql<string>`string_agg(${text}, ',')`.as('stays'))
    .where('ended', '>=', question.from)
    .where('ended', '<', question.to)
    .groupBy(sql`ended / cast(${sql.lit(pieceMs)} as bigint)`);
  const some = isNarrow ? all.where('place', 'in', chosen(db, question).select('id')) : all;
  return (await some.execute()).map(({ stays }) => stays);
}

/** Two namespaces may each have a pool of one name. */
function groupOf(place: Place, by: DurationGroup): string | undefined {
  if (by === 'none') return undefined;
  return by === 'pool' && place.pool !== '' ? `${place.namespace}/${place.pool}` : place[by];
}

/** Where a stay in a place counts: with its gate, its stage and its state. */
function seriesOf(place: Place, by: DurationGroup, all: Map<string, Series>) {
  const { state, stage, gate } = place;
  const group = groupOf(place, by);
  const of = (figures: Series['figures']) => {
    const key = JSON.stringify([figures.state, figures.stage, figures.gate, group]);
    const known = all.get(key);
    if (known) return known;
    const made: Series = { figures: group === undefined ? figures : { ...figures, group }, unknown: 0, values: [] };
    all.set(key, made);
    return made;
  };
  const staged = stage === '' ? { state } : { state, stage };
  return {
    state: of({ state }),
    stage: stage === '' ? undefined : of(staged),
    gate: gate === '' ? undefined : of({ ...staged, gate }),
  };
}

function count(stay: string, targets: ReadonlyMap<number, ReturnType<typeof seriesOf>>): void {
  const [place, ms, stageMs, stateMs] = stay.split(':');
  const target = targets.get(Number(place));
  if (!target) return;
  add(target.gate, ms);
  add(target.stage, stageMs);
  add(target.state, stateMs);
}

function add(series: Series | undefined, text: string | undefined): void {
  if (!series || !text) return;
  const ms = Number(text);
  if (ms === unknownMs) series.unknown += 1;
  else series.values.push(ms);
}

function figuresOf({ figures, unknown, values }: Series): DurationFigures {
  const sorted = Float64Array.from(values).sort();
  const count = sorted.length;
  if (count === 0) return { ...figures, count, unknown };
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * count) - 1)] ?? 0;
  const [p25, p50, p75, p95, p99] = [at(0.25), at(0.5), at(0.75), at(0.95), at(0.99)];
  return { ...figures, count, unknown, min: at(0), p25, p50, p75, p95, p99, max: at(1) };
}
