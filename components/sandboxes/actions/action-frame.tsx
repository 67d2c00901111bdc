'use client';

import { useMemo, useState } from 'react';
import { Button, Dialog, Drawer, type Guard, GuardedButton, Note, RadioList, TextField } from '@/components/ui';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxAction, SandboxActionRequest, SandboxChange } from '@/lib/contracts/sandbox-writes';
import { readSandbox } from '@/lib/domain/object-readings';
import type { ImageEdit } from '@/lib/domain/sandbox-losses';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { isRefusal } from '../../writes/api';
import { ProblemNote } from '../../writes/problem-note';
import { useKept } from '../use-kept-row';
import { ActionAnswers } from './action-answers';
import { ActionConsequences } from './consequences';
import { CurrentToNew } from './current-to-new';
import type { Draft, Lacking } from './draft';
import { ActionFields } from './fields';
import { frozen } from './frozen';
import { useActing } from './use-acting';
import { allRefused, useActionRights, usePermission, usePermissionText, wordToType } from './use-action-guard';

/** Actions that lose something, or end something: they ask in the middle of the page. */
const grave: ReadonlySet<SandboxAction> = new Set(['pauseSandbox', 'deletePod', 'deleteSandbox', 'removeFinalizer']);
const dangerous: ReadonlySet<SandboxAction> = new Set(['deletePod', 'deleteSandbox', 'removeFinalizer']);

/** What every action shows around its own fields: current and new, consequence, dry run, line of kubectl, outcome. */
export function ActionFrame(props: {
  action: SandboxAction;
  rows: readonly SandboxRow[];
  first: SandboxRow;
  draft: Draft;
  onDraft: (change: Partial<Draft>) => void;
  onRows: (rows: readonly SandboxRow[]) => void;
  onClose: () => void;
  returnFocus: () => HTMLElement | null;
  images: ImageEdit[] | undefined;
  /** Of one sandbox. */
  reply: ObjectReply | undefined;
  change: SandboxChange | undefined;
  lacking: Lacking | undefined;
  title: string;
  subtitle: string;
}) {
  const { action, rows, first, draft, change, reply, onClose } = props;
  const t = useTranslations('sandboxes.actions');
  const tw = useTranslations('writes');
  const f = useFormats();
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
  const { outcomes, dryRun, predicted } = acting;
  const done = outcomes !== undefined;
  const word = wordToType(action, rows);
  const guard = guardOf();
  const send = () => acting.send(reason, onFailure);
  const moved = [acting.error, ...(predicted ?? [])].some(
    (each) => each && 'problem' in each && each.problem?.reason === 'sandboxMoved',
  );
  const Overlay = grave.has(action) || !one ? Dialog : Drawer;
  const isDialog = Overlay === Dialog;
  // Closed in the middle, the rest would go out unseen.
  const running = acting.sending && !one;
  const leave = running ? acting.stop : onClose;
  const close = (
    <Button variant="quiet" onClick={leave}>
      {running ? t('stop') : done ? tw('receipt.close') : tw('cancel')}
    </Button>
  );
  return (
    <Overlay
      open
      onOpenChange={leave}
      returnFocus={props.returnFocus}
      title={props.title}
      subtitle={props.subtitle}
      footer={
        <>
          {isDialog ? close : null}
          {done && !acting.sending ? null : (
            <GuardedButton
              guard={guard}
              variant={dangerous.has(action) ? 'danger' : 'primary'}
              busy={acting.sending}
              onClick={send}
            >
              {one ? t(`submit.${action}`) : t(`submits.${action}`, { count: rows.length })}
            </GuardedButton>
          )}
          {isDialog ? null : close}
        </>
      }
    >
      {goneAt !== undefined && !done ? (
        <Note tone="unknown" title={tw('gone.title', { at: f.time(goneAt) })} live>
          <p>{t('gone')}</p>
        </Note>
      ) : null}
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          if (guard.state === 'allowed' && !done && !acting.sending) send();
        }}
      >
        {done ? null : (
          <>
            <CurrentToNew action={action} rows={rows} change={change} />
            <ActionConsequences action={action} draft={draft} rows={rows} reply={reply} />
            <ActionFields
              action={action}
              draft={draft}
              rows={rows}
              images={props.images}
              finalizers={reply && readSandbox(reply.object).finalizers}
              onChange={props.onDraft}
            />
            {one ? null : (
              <RadioList
                label={t('onFailure.label')}
                value={onFailure}
                onChange={setOnFailure}
                options={[
                  { value: 'stop', label: t('onFailure.stop'), hint: t('onFailure.stopHint') },
                  { value: 'continue', label: t('onFailure.continue'), hint: t('onFailure.continueHint') },
                ]}
              />
            )}
            <TextField label={t('reason')} value={reason} onChange={setReason} maxLength={500} />
            {word === undefined ? null : (
              <TextField
                label={one ? t('typeName', { name: word }) : t('typeCount', { count: word })}
                value={typed}
                onChange={setTyped}
                {...(one ? { mono: true } : { inputMode: 'numeric' as const, className: 'act-short' })}
                data-first
              />
            )}
          </>
        )}
        {/* The button that is seen lies outside; without one inside, Enter sends a form of two fields nowhere. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
      {acting.error ? (
        <ProblemNote about="sandbox" error={acting.error} />
      ) : dryRun?.error ? (
        <ProblemNote about="sandbox" asked="dryRun" error={dryRun.error} onAsk={() => void dryRun.refetch()} />
      ) : null}
      {moved && !done ? (
        <Button onClick={() => props.onRows(rows.map((row) => live.get(row.uid) ?? row))}>{t('take')}</Button>
      ) : null}
      <ActionAnswers
        change={change}
        rows={rows}
        items={items}
        live={live}
        reply={reply}
        acting={acting}
        onGoOn={() => acting.goOn(reason)}
      />
    </Overlay>
  );

  function guardOf(): Guard {
    if (done || rights.state !== 'allowed') return rights;
    if (permission !== undefined) return { state: 'wrong', reason: permission };
    if (props.lacking !== undefined) return { state: 'wrong', reason: t(`lacking.${props.lacking}`) };
    if (isRefusal(dryRun?.error) || allRefused(predicted)) return { state: 'wrong', reason: tw('problem.dryFirst') };
    if (one && predicted?.[0]?.result === 'unchanged') return { state: 'wrong', reason: t('already') };
    if (word !== undefined && typed.trim() !== word) return { state: 'wrong', reason: t('typeFirst', { word }) };
    return rights;
  }
}
