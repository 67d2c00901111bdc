import 'server-only';
import type { SandboxHistoryReply, Stay as ShownStay } from '@/lib/contracts/history';
import { ended, type Stay } from '../../history/stays/stay';
import { gapsSince, readRecorder, stayOf, staysOfSandbox } from '../../history/stays/store';
import { ok, type Result, refuse } from '../result';
import { asked, gapsOf, type HistoryContext } from './history-context';

/** Of a sandbox that has moved more often, the latest. */
const mostStays = 2_000;
/** A recorder says every few seconds until when all is stored. */
const silentMs = 12_000;

/** What a sandbox did from its creation to now, as far as it was seen; also of one that is gone. */
export async function readSandboxHistory(
  ctx: HistoryContext,
  { namespace, uid }: { namespace: string; uid: string },
  person: string,
): Promise<Result<SandboxHistoryReply>> {
  if (ctx.scope.isUnchecked?.('sandboxes', namespace)) {
    return refuse('upstream_unavailable', 'accessUnchecked', { namespace });
  }
  if (!ctx.scope.maySee('sandboxes', namespace)) {
    const resource = 'sandboxes.agents.kruise.io';
    return refuse('forbidden', 'mayNot', { person, verb: 'list', resource, namespace, why: 'none' });
  }
  const { found, store } = await asked(ctx.recorder, () =>
    ctx.history.read(async (db) => {
      const stays = (await staysOfSandbox(db, namespace, uid, mostStays)).map(stayOf);
      const first = stays[0];
      const recorder = await readRecorder(db);
      return {
        stays,
        since: recorder?.since,
        stored: recorder?.stored ?? 0,
        gaps: first ? await gapsSince(db, first.from ?? first.seen) : [],
      };
    }),
  );
  const time = ctx.now();
  // Nobody has recorded for a while: what is stored as open was so until then, and this process is about to go on.
  const silentSince = !ctx.recorder.leads && found && time - found.stored > silentMs ? found.stored : undefined;
  const stays = new Map(
    found?.stays.map((stay) => [
      stay.seen,
      stay.end || silentSince === undefined ? stay : ended(stay, silentSince, undefined, true),
    ]),
  );
  // What this process stores may be on its way; what another one stores is there, up to a second.
  const isOnItsWay = ctx.recorder.leads || !found || silentSince !== undefined;
  const waiting = isOnItsWay ? ctx.recorder.waiting(uid) : [];
  for (const stay of waiting) if (stay.ns === namespace) stays.set(stay.seen, stay);
  const sorted = [...stays.values()].sort((a, b) => a.seen - b.seen);
  const last = sorted.at(-1)?.end?.at ?? time;
  const gaps = gapsOf(found?.gaps ?? [], ctx.recorder);
  return ok({
    time,
    store,
    since: found?.since ?? ctx.recorder.since ?? time,
    stays: sorted.map(shown),
    gaps: sorted.length === 0 ? [] : gaps.filter(({ from }) => from <= last),
  });
}

function shown({ state, stage, gate, from, fromSource, end, cause, node, revision, podUid }: Stay): ShownStay {
  return {
    state,
    ...(stage === undefined ? {} : { stage }),
    ...(gate === undefined ? {} : { gate }),
    ...(from === undefined ? {} : { from }),
    fromSource,
    ...(end && (end.torn ? { torn: true, seenUntil: end.at } : { to: end.at })),
    ...(cause === undefined ? {} : { cause }),
    ...(node === undefined ? {} : { node }),
    ...(revision === undefined ? {} : { revision }),
    ...(podUid === undefined ? {} : { podUid }),
  };
}
