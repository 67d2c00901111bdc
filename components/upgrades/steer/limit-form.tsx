'use client';

import { useState } from 'react';
import type { IntOrPercent } from '@/lib/contracts/rows';
import { upgradeDraft } from '@/lib/contracts/upgrades';
import { upgradeLimit } from '@/lib/domain/budget';
import { kubectlJsonPatch } from '@/lib/domain/kubectl';
import { startable } from '@/lib/domain/upgrades/batches';
import { isActive } from '@/lib/domain/upgrades/view';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button, type Guard, Note, TextField } from '../../ui';
import { Consequences } from '../../writes/consequences';
import { useWriteGuard } from '../../writes/use-write-guard';
import { sendSetting } from '../queries';
import type { FormProps } from './form-props';
import { SteerFrame } from './steer-frame';
import { useOperationWrite } from './use-operation-write';

const written = (value: IntOrPercent | undefined) => (value === undefined ? '' : String(value));

/** What spec.updateStrategy.maxUnavailable may be, as typed: a number from 1, or a percentage from 1% to 100%. */
export function parseLimit(typed: string): IntOrPercent | undefined {
  const text = typed.trim();
  return upgradeDraft.shape.maxUnavailable.safeParse(/^\d{1,9}$/.test(text) ? Number(text) : text).data;
}

/** Changes how many sandboxes may be down at once, while the operation runs. `wanted` is what is filled in first. */
export function LimitForm({ wanted, ...props }: FormProps & { wanted: string | undefined }) {
  const t = useTranslations('upgrades.steer.limit');
  const f = useFormats();
  const { op, view } = props.upgrade;
  const [uid] = useState(op.uid);
  const [draft, setDraft] = useState({ from: op.maxUnavailable, typed: wanted ?? written(op.maxUnavailable) });
  const rights = useWriteGuard('steerUpgrade', op.ns, props.goneAt);
  const { from, typed } = draft;
  const to = parseLimit(typed);
  const same = to === from;
  const write = useOperationWrite({
    op,
    kind: 'upgrade-limit',
    request:
      to === undefined || same || op.maxUnavailable !== from
        ? undefined
        : { uid, change: { what: 'maxUnavailable' as const, ...(from === undefined ? {} : { from }), to } },
    mayAsk: rights.state === 'allowed',
    send: (request, signal) => sendSetting(op, request, signal),
    seen: (request) => op.uid === uid && op.maxUnavailable === request.change.to,
  });
  const moved = op.maxUnavailable !== from && !write.done && !write.sending;
  const limit = upgradeLimit(to, view.total);
  const starts = startable(limit, view);
  return (
    <SteerFrame
      {...props}
      write={write}
      guard={guardOf()}
      said={to === undefined}
      title={t('title', { name: op.name })}
      submit={t('submit', { to: written(to) || '–' })}
      kubectl={
        to === undefined
          ? undefined
          : kubectlJsonPatch(op.ns, 'suo', op.name, [
              { op: 'test', path: '/metadata/uid', value: uid },
              { op: 'add', path: '/spec/updateStrategy/maxUnavailable', value: to },
            ])
      }
      receiptTitle={t('done', { name: op.name, to: written(to) })}
      observed={t('observed', { limit: f.number(view.limit), id: write.receipt?.id ?? '' })}
      shown={written(op.maxUnavailable) || t('unset')}
      onSubmit={write.send}
    >
      <TextField
        label="maxUnavailable"
        hint={t('hint', { total: view.total })}
        error={to === undefined ? t('wrong') : undefined}
        value={typed}
        onChange={(next) => {
          write.reset();
          setDraft({ from: moved || write.done ? op.maxUnavailable : from, typed: next });
        }}
        className="write-short"
        data-first
      />
      {moved ? (
        <Note
          tone="attention"
          title={t('moved', { from: written(from) || t('unset'), to: written(op.maxUnavailable) })}
          live
        >
          <Button size="sm" onClick={() => setDraft({ from: op.maxUnavailable, typed })}>
            {t('take', { to: written(op.maxUnavailable) || t('unset') })}
          </Button>
        </Note>
      ) : null}
      {to === undefined || write.done ? null : (
        <Consequences
          items={[
            t('resolved', { was: view.limit, limit, total: view.total }),
            op.paused ? t('startsPaused', { count: starts }) : t('starts', { count: starts }),
            ...(limit < view.updating + view.failed ? [t('lower', { busy: view.updating + view.failed })] : []),
            view.waiting > starts && limit > view.failed ? t('stands', { count: limit - view.failed }) : t('noStop'),
          ]}
        />
      )}
    </SteerFrame>
  );

  function guardOf(): Guard {
    if (rights.state !== 'allowed') return rights;
    if (!isActive(op)) return { state: 'wrong', reason: t('over') };
    if (to === undefined) return { state: 'wrong', reason: t('wrong') };
    if (moved) return { state: 'wrong', reason: t('takeFirst') };
    if (same) return { state: 'wrong', reason: t('already') };
    return rights;
  }
}
