import { useQuery } from '@tanstack/react-query';
import type { GuardedAction } from '@/lib/contracts/access';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveControls, useLiveStatus } from '@/lib/live';
import { useProblemText } from '../common';
import type { Guard } from '../ui';
import { accessIn, problemOf } from './api';

/** Rows older than this are refreshed before anybody may act on them; at once when the banner over them says so. */
const staleMs = 15_000;

/**
 * May this person do this here, on what is on screen? The server checks all of it again.
 * @param namespace absent: not chosen yet, which the form says itself
 * @param goneAt since when the object is known to be gone
 */
export function useWriteGuard(action: GuardedAction, namespace: string | undefined, goneAt: number | undefined): Guard {
  const t = useTranslations('writes.gone');
  const f = useFormats();
  const say = useProblemText();
  const access = useQuery({ ...accessIn(namespace ?? ''), enabled: namespace !== undefined });
  const status = useLiveStatus();
  const { refresh } = useLiveControls();
  const old = status.state === 'reconnecting' || status.dataFrom === undefined || status.ageMs > staleMs;
  if (goneAt !== undefined) return { state: 'wrong', reason: t('title', { at: f.time(goneAt) }) };
  if (status.state !== 'live' && old) {
    return { state: 'stale', refresh: () => void refresh() };
  }
  if (namespace === undefined) return { state: 'allowed' };
  const known = access.data?.actions?.[action];
  if (!known) return access.error ? { state: 'unknown', reason: say(problemOf(access.error)) } : { state: 'unknown' };
  if (known.state === 'denied') {
    const { verb, group, resource } = known;
    return { state: 'denied', right: { verb, group, resource, namespace } };
  }
  // What could not be asked is left to the API server, which is asked again by the write itself.
  return { state: 'allowed' };
}
