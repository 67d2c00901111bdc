'use client';

import type { UpgradeHistoryReply } from '@/lib/contracts/upgrade-history';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Exact, SafeText } from '../../common';
import { shortUid } from '../../sandboxes/short';

export type Pods = UpgradeHistoryReply['pods'][string];

/** The Pod that was replaced against the one that runs, as far as the console saw them. */
export function PodPair({ pods }: { pods: Pods | undefined }) {
  const t = useTranslations('upgrades.pods');
  if (!pods?.before && !pods?.after) return <p className="mut sm">{t('unseen')}</p>;
  const { before, after } = pods;
  return (
    <dl className="up-podpair">
      <dt>{t('before')}</dt>
      <dd>
        {before ? (
          <>
            <span className="mono" title={before.uid}>
              {shortUid(before.uid)}
            </span>{' '}
            {before.node ? <SafeText text={before.node} /> : <span className="dim">{t('noNode')}</span>}
            <span className="sub">
              {before.gone === undefined
                ? t('notSeenGone')
                : t.rich('gone', { at: () => <Exact at={before.gone ?? 0} /> })}
            </span>
          </>
        ) : (
          <span className="dim">{t('notSeen')}</span>
        )}
      </dd>
      <dt>{t('after')}</dt>
      <dd>
        {after ? (
          <>
            <span className="mono" title={after.uid}>
              {shortUid(after.uid)}
            </span>{' '}
            {after.node ? <SafeText text={after.node} /> : <span className="dim">{t('noNode')}</span>}
            <span className="sub">
              {after.since === undefined
                ? t('sinceUnknown')
                : t.rich('since', { at: () => <Exact at={after.since ?? 0} /> })}
            </span>
          </>
        ) : (
          <span className="dim">{t('notYet')}</span>
        )}
      </dd>
    </dl>
  );
}
