'use client';

import { Check, Minus, RotateCw, X } from 'lucide-react';
import { dwellOf } from '@/lib/domain/severity';
import type { StageTime } from '@/lib/domain/upgrades/stage-times';
import type { StageCell, UpgradeStage } from '@/lib/domain/upgrades/stages';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { Icon } from '../../ui';
import type { StageRow } from './stage-rows';

const icons = { running: RotateCw, passed: Check, failed: X, 'not-reached': Minus, skipped: Minus };

/** How far a sandbox is in one stage, and how long it has been there: as the watch saw it, else by the condition. */
export function StageMark({ entry, stage, state }: { entry: StageRow; stage: UpgradeStage; state: StageCell }) {
  const t = useTranslations('upgrades.stages.state');
  if (state === 'not-reached' || state === 'skipped') {
    return (
      <span className="mx dim" title={t(state)}>
        –<span className="vh"> {t(state)}</span>
      </span>
    );
  }
  const time = entry.times[stage];
  const standing = state === 'running' || state === 'failed';
  return (
    <span className="mx">
      <span className="c" data-tone={state === 'failed' ? 'breach' : undefined}>
        <Icon
          icon={icons[state]}
          tone={state === 'failed' ? 'breach' : state === 'passed' && stage === 'Done' ? 'ok' : undefined}
        />
        <span className="vh">{t(state)} </span>
        {standing ? <Standing entry={entry} time={time} /> : <Passed stage={stage} time={time} />}
      </span>
    </span>
  );
}

/** The stage it is in now: counts on. */
function Standing({ entry, time }: { entry: StageRow; time: StageTime | undefined }) {
  const t = useTranslations('upgrades.stages.state');
  const f = useFormats();
  const now = useNow();
  if (time) {
    const failed = time.failedAt === undefined ? '' : ` · ${t('failedAt', { at: f.time(time.failedAt) })}`;
    return (
      <span title={`${t('seen', { at: f.exact(time.from) })}${failed}`}>
        {f.duration(Math.max(0, now - time.from))}
      </span>
    );
  }
  const { ms, atLeast, from } = dwellOf(entry.row, now);
  if (ms === undefined) return <span title={t('unseen')}>{t('unknown')}</span>;
  return <span title={from === 'condition' ? t('clock') : t('observed')}>{f.duration(ms, { atLeast })}</span>;
}

/** A stage it has left. Of what the console did not watch there is no time. */
function Passed({ stage, time }: { stage: UpgradeStage; time: StageTime | undefined }) {
  const t = useTranslations('upgrades.stages.state');
  const f = useFormats();
  if (!time || (stage !== 'Done' && time.to === undefined))
    return (
      <span className="dim" title={t('unseen')}>
        ?
      </span>
    );
  if (stage === 'Done' || time.to === undefined) {
    return <span title={t('seen', { at: f.exact(time.from) })}>{f.time(time.from)}</span>;
  }
  return (
    <span title={t('lasted', { from: f.exact(time.from), to: f.exact(time.to) })}>
      {f.duration(time.to - time.from)}
    </span>
  );
}
