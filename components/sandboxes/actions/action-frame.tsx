'use client';

import { useMemo, useState } from 'react';
import { Button, CopyButton, type Guard } from '@/components/ui';
import type { SandboxAction, SandboxActionRequest } from '@/lib/contracts/sandbox-writes';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus, useRows } from '@/lib/live';
import { WriteFrame } from '../../writes/write-frame';
import { useKept } from '../use-kept-row';
import { BulkAnswers } from './bulk-answers';
import { allAlready } from './dry-run-summary';
import { ActionForm } from './form';
import { frozen } from './frozen';
import { OneAnswer } from './one-answer';
import { useActing } from './use-acting';
import { allRefused, useActionRights, usePermission, usePermissionText, wordToType } from './use-action-guard';
import { useLines } from './use-lines';
import type { Question } from './use-question';

/** Actions that lose something, or end something: they ask in the middle of the page. */
const grave: ReadonlySet<SandboxAction> = new Set(['pauseSandbox', 'deletePod', 'deleteSandbox', 'removeFinalizer']);
const dangerous: ReadonlySet<SandboxAction> = new Set(['deletePod', 'deleteSandbox', 'removeFinalizer']);

/** The form of an action on one sandbox or several, its answers, and what may be sent. */
export function ActionFrame(props: { question: Question; onClose: () => void; returnFocus: () => HTMLElement | null }) {
  const { question, onClose } = props;
  const { action, rows, first, draft, change, reply, lacking } = question;
  const t = useTranslations('sandboxes.actions');
  const tw = useTranslations('writes');
  const cluster = useLiveStatus().freshness?.cluster.name ?? '';
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [onFailure, setOnFailure] = useState<SandboxActionRequest['onFailure']>('stop');
  const one = rows.length === 1;
  const items = useMemo(() => frozen(action, rows), [action, rows]);
  const kept = useKept('sandboxes', first.ns, first.name, first);
  const goneAt = one ? kept.goneAt : undefined;
  const live = new Map(useRows('sandboxes').map((row) => [row.uid, row]));
  const rights = useActionRights(action, rows, draft.thenDeletePod, goneAt);
  const permissionOf = usePermission();
  const permissionText = usePermissionText();
  // What is no longer possible is still asked about: the server's own word on it is worth more.
  const permission = one
    ? permissionText(permissionOf(action, live.get(first.uid) ?? first, reply?.object), first.name)
    : undefined;
  const acting = useActing(items, permission === undefined ? change : undefined, rights.state === 'allowed');
  const { outcomes, dryRun, sending } = acting;
  const predicted = dryRun?.predicted;
  const done = outcomes !== undefined;
  const word = wordToType(action, rows);
  const moved = [acting.error, ...(predicted ?? [])].some(
    (each) => each && 'problem' in each && each.problem?.reason === 'sandboxMoved',
  );
  // Closed in the middle, the rest would go out unseen.
  const running = sending && !one;
  const nothing = !one && dryRun !== undefined && allAlready(dryRun);
  const places = [...new Set(rows.map(({ ns }) => ns))];
  const place = places.length === 1 ? first.ns : t('namespaces', { count: places.length });
  const lines = useLines(acting.sent ?? change, rows, acting);
  const told = one ? predicted?.[0] : undefined;
  return (
    <WriteFrame
      about="sandbox"
      overlay={grave.has(action) || !one ? 'dialog' : 'drawer'}
      title={one ? t(`title.${action}`, { name: first.name }) : t(`titles.${action}`, { count: rows.length })}
      subtitle={`Sandbox · ${place} · ${cluster}`}
      gone={{ at: done ? undefined : goneAt, text: t('gone') }}
      onClose={running ? acting.stop : onClose}
      returnFocus={props.returnFocus}
      close={running ? t('stop') : done || nothing ? tw('receipt.close') : tw('cancel')}
      submit={
        nothing || (done && !sending)
          ? undefined
          : {
              label: one ? t(`submit.${action}`) : t(`submits.${action}`, { count: rows.length }),
              guard: guardOf(),
              busy: sending,
              danger: dangerous.has(action),
              onSubmit: () => acting.send(reason, onFailure),
            }
      }
      fields={
        done ? null : (
          <ActionForm
            question={question}
            reason={{ value: reason, onChange: setReason }}
            word={word}
            typed={{ value: typed, onChange: setTyped }}
            failure={one ? undefined : { value: onFailure, onChange: setOnFailure }}
          />
        )
      }
      error={acting.error}
      dryRun={
        dryRun && {
          data: told?.problem ? undefined : (told?.podReceipt ?? told?.receipt),
          error: dryRun.error,
          asking: one && dryRun.asking,
          refetch: dryRun.goOn,
        }
      }
      kubectl={lines.length === 0 ? undefined : (one ? lines : lines.slice(0, 1)).join('\n')}
      moreLines={
        one || lines.length === 0 ? null : (
          <div>
            <CopyButton text={lines.join('\n')} label={t('copyLines', { count: lines.length })}>
              {t('copyLines', { count: lines.length })}
            </CopyButton>
          </div>
        )
      }
    >
      {moved && !done ? (
        <div>
          <Button onClick={() => question.setRows(rows.map((row) => live.get(row.uid) ?? row))}>{t('take')}</Button>
        </div>
      ) : null}
      {one ? (
        <OneAnswer
          change={acting.sent ?? change}
          first={first}
          row={live.get(first.uid)}
          reply={reply}
          acting={acting}
        />
      ) : (
        <BulkAnswers
          change={acting.sent ?? change}
          items={items}
          live={live}
          acting={acting}
          stops={onFailure === 'stop'}
          onGoOn={() => acting.goOn(reason)}
        />
      )}
    </WriteFrame>
  );

  function guardOf(): Guard {
    if (done || rights.state !== 'allowed') return rights;
    if (permission !== undefined) return { state: 'wrong', reason: permission };
    if (lacking !== undefined) return { state: 'wrong', reason: t(`lacking.${lacking}`) };
    if (dryRun?.isWhole && allRefused(predicted)) {
      return { state: 'wrong', reason: one ? tw('problem.dryFirst') : t('ask.none') };
    }
    if (told?.result === 'unchanged') return { state: 'wrong', reason: t('already') };
    if (word !== undefined && typed.trim() !== word) return { state: 'wrong', reason: t('typeFirst', { word }) };
    return rights;
  }
}
