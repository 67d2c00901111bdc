'use client';

import { Check, CircleHelp, Minus, RotateCw, X } from 'lucide-react';
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
  if (entry.unwritten && state === 'running') {
    return (
      <span className="mx" title={t('unwritten')}>
        <span className="c">
          <Icon icon={RotateCw} /> {t('running')}
        </span>
      </span>
    );
  }
  const standing = state === 'running';
  // What the console remembers does not run any more.
  const isPast = entry.left !== undefined && state === 'running';
  return (
    <span className="mx">
      <span className="c" data-tone={state === 'failed' ? 'breach' : undefined}>
        <Icon
          icon={isPast ? CircleHelp : icons[state]}
          tone={state === 'failed' ? 'breach' : state === 'passed' && stage === 'Done' ? 'ok' : undefined}
        />
        <span className="vh">{t(isPast ? 'lastSeen' : state)} </span>
        {state === 'failed' ? (
          <Failed time={time} />
        ) : standing ? (
          <Standing entry={entry} time={time} />
        ) : (
          <Passed stage={stage} time={time} />
        )}
      </span>
    </span>
  );
}

/** How long it took until it failed: that does not go on. */
function Failed({ time }: { time: StageTime | undefined }) {
  const t = useTranslations('upgrades.stages.state');
  const f = useFormats();
  if (time?.failedAt === undefined) return <span title={t('failedUnseen')}>?</span>;
  return (
    <span title={`${t('seen', { at: f.exact(time.from) })} · ${t('failedAt', { at: f.time(time.failedAt) })}`}>
      {time.failedAt > time.from ? f.duration(time.failedAt - time.from) : '?'}
    </span>
  );
}

/** The stage it is in now: counts on. Of one that has left the operation, the stage it was in then. */
function Standing({ entry, time }: { entry: StageRow; time: StageTime | undefined }) {
  const t = useTranslations('upgrades.stages.state');
  const f = useFormats();
  const clock = useNow();
  const { left } = entry;
  // How long it stayed is known when it was seen to leave.
  const now = left ? left.at : clock;
  if (left && !left.seen) return <span title={t('endUnseen')}>?</span>;
  if (time) {
    return <span title={t('seen', { at: f.exact(time.from) })}>{f.duration(Math.max(0, now - time.from))}</span>;
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
