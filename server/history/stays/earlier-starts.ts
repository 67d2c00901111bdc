import 'server-only';
import type { NotNull } from 'kysely';
import type { EarlierStart } from '../../kube/sandboxes';
import type { History } from '../database';

/**
 * Starts that an earlier process has seen of states that no condition times, by uid, for rows to go on from.
 * @throws {HistoryUnavailable}
 */
export async function readEarlierStarts(history: History): Promise<Map<string, EarlierStart>> {
  const found = await history.read((db) =>
    db
      .selectFrom('stay')
      .innerJoin('place', 'place.id', 'stay.place')
      .select(['sandbox_uid as uid', 'state', 'observed_since as since', 'observed_version as version'])
      .where('ended', 'is', null)
      .where('observed_version', 'is not', null)
      .$narrowType<{ since: NotNull; version: NotNull }>()
      .execute(),
  );
  return new Map(found.map(({ uid, ...start }) => [uid, start]));
}
