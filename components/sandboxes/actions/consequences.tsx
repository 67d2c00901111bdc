'use client';

import { Fragment, type ReactNode } from 'react';
import { SafeText } from '@/components/common';
import { Note } from '@/components/ui';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxAction } from '@/lib/contracts/sandbox-writes';
import { podHelpOf, survivalOf } from '@/lib/domain/sandbox-losses';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { Consequences } from '../../writes/consequences';
import { sessionName } from '../session-name';
import type { Draft } from './draft';
import { Remedies, ResumeRisks } from './resume-risks';

type About = {
  action: SandboxAction;
  draft: Draft;
  /** As they were when the dialog opened. */
  rows: readonly SandboxRow[];
  /** The whole object, of one. */
  reply: ObjectReply | undefined;
};

/** What happens, what it loses and what stays, and whose sessions it is about. */
export function ActionConsequences(about: About) {
  return (
    <>
      <Consequences items={useLines(about)} />
      <Warnings {...about} />
    </>
  );
}

function useLines({ action, draft, rows, reply }: About): ReactNode[] {
  const t = useTranslations('sandboxes.actions.line');
  const f = useFormats();
  const now = useNow();
  const count = rows.length;
  const survival = reply && survivalOf(reply.object);
  const idle = rows.filter((row) => row.idle).length;
  const newPod = action === 'deletePod' || (action === 'changeImages' && draft.thenDeletePod);
  const volumes = !survival
    ? t('volumesStay')
    : survival.volumes.length > 0
      ? t('volumesNamed', { count: survival.volumes.length, names: f.list(survival.volumes) })
      : t('noVolumes');
  const lines: ReactNode[] = [];
  const say = (...more: (ReactNode | false)[]) => lines.push(...more.filter((line) => line !== false));
  switch (action) {
    case 'pauseSandbox':
      say(t('pause'), t('podLost'), volumes, t('identity'));
      break;
    case 'resumeSandbox': {
      const due = rows.filter(({ pauseAt }) => pauseAt !== undefined && pauseAt <= now).length;
      const pausing = rows.filter(({ state }) => state === 'Pausing').length;
      say(
        t('resume'),
        t('afresh'),
        pausing > 0 && t('pausing', { count: pausing }),
        due > 0 && t('pauseDue', { count: due }),
      );
      break;
    }
    case 'setDeadline':
      say(draft.field === 'shutdownTime' ? t('shutdown') : t('pauseAt'), t('timers'));
      break;
    case 'deletePod':
      say(t('deletePod'), t('podLost'), volumes, t('webhook'));
      break;
    case 'changeImages':
      say(t('template', { count }), newPod && t('thenPod', { count }), newPod && volumes, newPod && t('webhook'));
      break;
    case 'deleteSandbox':
      say(
        t('deleteSandbox', { count }),
        survival && survival.volumes.length > 0
          ? t('volumesGo', { count: survival.volumes.length, names: f.list(survival.volumes) })
          : !survival && t('volumesGoToo'),
        idle > 0 && t('idle', { count: idle }),
        rows.some(({ state }) => state === 'Paused' || state === 'Pausing' || state === 'Resuming') &&
          t('waitsForFinalizer'),
      );
      break;
    case 'removeFinalizer':
      say(t('finalizer'), t('finalizerPod'));
      break;
  }
  return [...lines, ...useSessions({ action, rows })];
}

/** Who is affected. Of one sandbox by name, of several the first owners. */
function useSessions({ action, rows }: Pick<About, 'action' | 'rows'>): ReactNode[] {
  const t = useTranslations('sandboxes.actions.line');
  const f = useFormats();
  const claimed = rows.filter((row) => row.claimed);
  if (claimed.length === 0) return [<span key="s">{t('noSession')}</span>];
  const owners = [...new Set(claimed.flatMap((row) => sessionName(row) ?? []))];
  const named = (
    <SafeText text={`${f.list(owners.slice(0, 3))}${owners.length > 3 ? ` + ${f.number(owners.length - 3)}` : ''}`} />
  );
  return [
    <Fragment key="s">
      {t(action === 'deleteSandbox' ? 'sessionsEnd' : 'sessions', { count: claimed.length })}
      {owners.length > 0 ? <> {named}</> : null}
    </Fragment>,
  ];
}

/** What must not be overlooked. */
function Warnings({ action, rows, reply }: About) {
  const t = useTranslations('sandboxes.actions.warning');
  const f = useFormats();
  const stranded = rows.filter((row) => row.strands);
  const help = action === 'deletePod' && reply ? podHelpOf(reply.object, reply.pod) : 'unknown';
  const vain = action === 'pauseSandbox' && reply ? survivalOf(reply.object).askedInVain : [];
  // A SandboxClaim leaves its name; what has an owner without one was made through the E2B interface (domain 2.1).
  const managed = rows.filter((row) => row.claimed && row.owner !== undefined && row.claimName === undefined);
  const ofPause = managed.some((row) => row.shutdownAt !== undefined) ? 'managedPause' : 'managedPauseNoEnd';
  return (
    <>
      {action === 'pauseSandbox' && stranded.length > 0 ? (
        <Note tone="attention" title={t('strandsTitle', { count: stranded.length })}>
          <p>{t('strands')}</p>
          <Remedies rows={stranded} />
        </Note>
      ) : null}
      {action === 'resumeSandbox' ? <ResumeRisks rows={rows} /> : null}
      {vain.length > 0 ? (
        <Note tone="attention" title={t('vainTitle', { what: f.list(vain) })}>
          <p>{t('vain')}</p>
        </Note>
      ) : null}
      {help === 'unknown' ? null : (
        <Note tone={help === 'same' ? 'attention' : 'unknown'} title={t(`help.${help}Title`)}>
          <p>{t(`help.${help}`)}</p>
        </Note>
      )}
      {managed.length > 0 && (action === 'setDeadline' || action === 'pauseSandbox') ? (
        <Note tone="unknown" title={t('managedTitle', { count: managed.length })}>
          <p>{t(action === 'setDeadline' ? 'managedDeadline' : ofPause)}</p>
        </Note>
      ) : null}
    </>
  );
}
