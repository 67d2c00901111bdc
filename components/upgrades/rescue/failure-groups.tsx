'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type FailureGroup, failureGroups } from '@/lib/domain/upgrades/failure-groups';
import type { OperationReading } from '@/lib/domain/upgrades/operation-reading';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { Button } from '../../ui';
import { upgradeHistory } from '../queries';
import type { StageRow } from '../stages/stage-rows';
import type { UpgradeFormState } from '../steer/use-form';
import { MessageText } from './message-text';
import { NextSteps } from './next-steps';

/** More kinds of trouble than this nobody reads before the first are gone. */
const shown = 8;

/** Groups of an operation's sandboxes that failed or are held up, with those whose Pod is not the old one any more. */
export function useFailureGroups({ op }: Upgrade, all: readonly StageRow[]): FailureGroup[] {
  const rebuilt = useQuery(upgradeHistory(op)).data?.rebuilt;
  const now = useNow(5_000);
  return useMemo(() => failureGroups(op, all, now, new Set(rebuilt)), [op, all, now, rebuilt]);
}

/** What failed alike, in the controller's own words, with what really helps. */
export function FailureGroups(props: {
  upgrade: Upgrade;
  all: readonly StageRow[];
  groups: readonly FailureGroup[];
  reading: OperationReading | undefined;
  form: UpgradeFormState;
  /** Shows the members of a group in the matrix. */
  onShow: (group: FailureGroup) => void;
}) {
  const { groups, all } = props;
  const t = useTranslations('upgrades.rescue');
  const rows = new Map(all.map(({ row }) => [row.uid, row]));
  if (groups.length === 0) return null;
  return (
    <section id="failures" className="up-fails" aria-label={t('label')} tabIndex={-1}>
      {groups.slice(0, shown).map((group) => {
        const sample = rows.get(group.sandboxes[0]?.uid ?? '');
        return (
          <div key={group.key} className="up-fail">
            <div className="row">
              <b className={group.failed || group.refused ? 'b text-breach-fg' : 'b text-attention-fg'}>
                {group.failed ? group.reason : t(group.refused ? 'refused' : 'heldUp', { stage: group.stage })}
              </b>
              <span className="mut">{t('count', { count: group.sandboxes.length })}</span>
              <Button size="sm" variant="quiet" onClick={() => props.onShow(group)}>
                {t('show')}
              </Button>
            </div>
            {sample ? <MessageText key={sample.uid} row={sample} recorded={group.left ?? false} /> : null}
            {group.left ? <p className="sm mut">{t('recorded')}</p> : <NextSteps {...props} group={group} />}
          </div>
        );
      })}
      {groups.length > shown ? <p className="sm mut">{t('more', { count: groups.length - shown })}</p> : null}
    </section>
  );
}
