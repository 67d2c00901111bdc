'use client';

import { useQuery } from '@tanstack/react-query';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { UnitBar } from '../common';
import { recentActions } from '../writes/api';
import { upgradeHistory } from './queries';
import { useEta } from './use-eta';

/** The counts as one bar, what they leave out, and when it will be over if it goes on like this. */
export function Progress(props: { upgrade: Upgrade; notTaken: readonly { reason: string }[]; onNotTaken: () => void }) {
  const { notTaken } = props;
  const { op, view } = props.upgrade;
  const t = useTranslations('upgrades.progress');
  const f = useFormats();
  const eta = useEta()(view);
  const same = notTaken.filter(({ reason }) => reason === 'upToDate').length;
  const { counted } = view;
  const between = view.sandboxes.filter(({ row }) => row.stage === 'ResumeSucceed').length;
  const differs =
    op.goneAt === undefined &&
    op.total !== undefined &&
    // One that is over and has none any more: its record tells.
    (isActive(op) || view.sandboxes.length > 0) &&
    // The labels by which its sandboxes are known go first.
    op.deleting === undefined &&
    (counted.updated !== view.updated || counted.updating !== view.updating || counted.failed !== view.failed);
  if (view.total === 0 && same === 0) return null;
  return (
    <div className="px-[var(--gutter)] pb-4">
      <UnitBar
        updated={view.updated}
        updating={view.updating}
        failed={view.failed}
        total={view.total}
        same={same}
        legend
      />
      <p className="up-notes">
        {op.goneAt === undefined ? null : <span>{t('lastKnown', { at: f.time(op.goneAt) })}</span>}
        {eta && op.goneAt === undefined ? <span title={eta.basis}>{eta.text}</span> : null}
        {op.paused && view.phase === 'PausedBySpec' ? (
          <span>
            {t('pausedWith', { count: Math.max(0, view.updating - between), between })} <PausedBy op={op} />
          </span>
        ) : null}
        {differs ? (
          <span>
            {t(isActive(op) ? 'lags' : 'since', {
              updated: f.number(counted.updated),
              updating: f.number(counted.updating),
              failed: f.number(counted.failed),
            })}
          </span>
        ) : null}
        {notTaken.length > 0 ? (
          <button type="button" className="up-link" onClick={props.onNotTaken}>
            {t('notTaken', { count: notTaken.length })}
          </button>
        ) : null}
      </p>
    </div>
  );
}

/** Who paused it, as far as the console did it or was asked to. */
function PausedBy({ op }: { op: Upgrade['op'] }) {
  const t = useTranslations('upgrades.progress');
  const f = useFormats();
  const guard = useQuery(upgradeHistory(op)).data?.guard;
  const actions = useQuery(recentActions()).data ?? [];
  if (guard?.state === 'fired' && guard.firedAt !== undefined) {
    return t('pausedBy', { how: 'guard', by: guard.setBy, at: f.time(guard.firedAt) });
  }
  const last = actions.find(
    ({ object, action, result }) =>
      object.namespace === op.ns &&
      object.name === op.name &&
      (action === 'pauseUpgrade' || action === 'continueUpgrade') &&
      (result === 'accepted' || result === 'observed'),
  );
  if (last?.action !== 'pauseUpgrade') return null;
  return t('pausedBy', { how: 'person', by: last.actor, at: f.time(last.at) });
}
