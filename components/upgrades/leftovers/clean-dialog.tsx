'use client';

import { useState } from 'react';
import type { LeftoverKind } from '@/lib/contracts/upgrade-leftovers';
import { kubectlJsonPatch } from '@/lib/domain/kubectl';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { Button, Command, CopyButton, Dialog, type Guard, GuardedButton, Spinner, TextField } from '../../ui';
import { isRefusal } from '../../writes/api';
import { ProblemNote } from '../../writes/problem-note';
import { useWriteGuard } from '../../writes/use-write-guard';
import { Consequences } from '../steer/consequences';
import { Outcomes } from './outcomes';
import { type CleanItem, useCleaning } from './use-cleaning';

const fewUpTo = 20;
const shownKinds = ['upgradePolicy', 'hooks', 'failedLabel'] as const;
const paths: Record<LeftoverKind, string> = {
  upgradePolicy: '/spec/upgradePolicy',
  hooks: '/spec/lifecycle',
  failedLabel: '/metadata/labels/agents.kruise.io~1upgrade-failed',
  selectionLabel: '/metadata/labels/console.agents.kruise.io~1upgrade',
};

/** Takes away what ended operations left on sandboxes of one namespace; one outcome a sandbox. */
export function CleanDialog(props: { ns: string; items: readonly CleanItem[]; onClose: () => void }) {
  const { ns, onClose } = props;
  const t = useTranslations('upgrades.leftovers.clean');
  const tw = useTranslations('writes');
  const cluster = useLiveStatus().freshness?.cluster.name ?? '';
  // Frozen: what comes while the question stands was not asked about.
  const [items] = useState(props.items);
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const rights = useWriteGuard('cleanLeftovers', ns, undefined);
  const cleaning = useCleaning(ns, items, rights.state === 'allowed');
  const { outcomes, dryRun } = cleaning;
  const asksCount = items.length > fewUpTo;
  const guard = guardOf();
  const count = items.length;
  const kindCounts = shownKinds.map((kind) => ({
    kind,
    count: items.filter(({ kinds }) => kinds.includes(kind)).length,
  }));
  const lines = items.map(({ name, kinds }) =>
    kubectlJsonPatch(
      ns,
      'sbx',
      name,
      kinds.map((kind) => ({ op: 'remove' as const, path: paths[kind] })),
    ),
  );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('title', { count })}
      subtitle={`Sandbox · ${ns} · ${cluster}`}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {outcomes ? tw('receipt.close') : tw('cancel')}
          </Button>
          {outcomes ? null : (
            <GuardedButton
              guard={guard}
              variant="primary"
              busy={cleaning.sending}
              onClick={() => cleaning.send(reason.trim())}
            >
              {t('submit', { count })}
            </GuardedButton>
          )}
        </>
      }
    >
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          if (guard.state === 'allowed' && !outcomes && !cleaning.sending) cleaning.send(reason.trim());
        }}
      >
        <Consequences
          items={[
            ...kindCounts.filter((one) => one.count > 0).map((one) => t(one.kind, { count: one.count })),
            t('label'),
            t('pods'),
          ]}
        />
        {outcomes ? null : (
          <>
            <TextField label={t('reason')} value={reason} onChange={setReason} maxLength={500} />
            {asksCount ? (
              <TextField
                label={t('type', { count: String(count) })}
                value={typed}
                onChange={setTyped}
                inputMode="numeric"
                className="up-short"
                data-first
              />
            ) : null}
          </>
        )}
      </form>
      {cleaning.error ? (
        <ProblemNote about="upgrade" error={cleaning.error} />
      ) : dryRun.error ? (
        <ProblemNote about="upgrade" asked="dryRun" error={dryRun.error} onAsk={() => void dryRun.refetch()} />
      ) : null}
      {outcomes ? (
        <p role="status" className="row">
          {cleaning.observed < cleaning.accepted ? <Spinner /> : null}
          <span>{t('observed', { observed: cleaning.observed, accepted: cleaning.accepted })}</span>
        </p>
      ) : dryRun.isFetching ? (
        <p role="status" className="row sm mut">
          <Spinner />
          {tw('scale.drySending')}
        </p>
      ) : null}
      <Outcomes items={items} outcomes={outcomes ?? dryRun.data} dry={outcomes === undefined} />
      {lines[0] === undefined ? null : <Command label={tw('scale.sameAs')} text={lines[0]} />}
      {lines.length > 1 ? (
        <CopyButton text={lines.join('\n')} label={t('copyLines', { count })}>
          {t('copyLines', { count })}
        </CopyButton>
      ) : null}
    </Dialog>
  );

  function guardOf(): Guard {
    if (rights.state !== 'allowed') return rights;
    if (isRefusal(dryRun.error)) return { state: 'wrong', reason: tw('problem.dryFirst') };
    if (asksCount && typed.trim() !== String(items.length)) return { state: 'wrong', reason: t('typeFirst') };
    return rights;
  }
}
