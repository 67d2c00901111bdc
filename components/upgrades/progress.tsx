'use client';

import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { UnitBar } from '../common';
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
    op.total !== undefined &&
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
        {eta ? <span title={eta.basis}>{eta.text}</span> : null}
        {op.paused && view.phase === 'PausedBySpec' ? (
          <span>{t('pausedWith', { count: Math.max(0, view.updating - between), between })}</span>
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
