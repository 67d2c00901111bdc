'use client';

import { useState } from 'react';
import type { LeftoverKind } from '@/lib/contracts/upgrade-leftovers';
import { kubectlJsonPatch } from '@/lib/domain/kubectl';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { CopyButton, type Guard, Spinner, TextField } from '../../ui';
import { Consequences } from '../../writes/consequences';
import { fewUpTo } from '../../writes/few';
import { useWriteGuard } from '../../writes/use-write-guard';
import { WriteFrame } from '../../writes/write-frame';
import { Outcomes } from './outcomes';
import { type CleanItem, useCleaning } from './use-cleaning';

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
    <WriteFrame
      about="upgrade"
      overlay="dialog"
      title={t('title', { count })}
      subtitle={`Sandbox · ${ns} · ${cluster}`}
      onClose={onClose}
      close={outcomes ? tw('receipt.close') : tw('cancel')}
      submit={
        outcomes
          ? undefined
          : {
              label: t('submit', { count }),
              guard: guardOf(),
              busy: cleaning.sending,
              onSubmit: () => cleaning.send(reason.trim()),
            }
      }
      fields={
        <>
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
                  className="write-short"
                  data-first
                />
              ) : null}
            </>
          )}
        </>
      }
      error={cleaning.error}
      dryRun={
        outcomes
          ? undefined
          : { data: undefined, error: dryRun.error, asking: dryRun.isFetching, refetch: dryRun.refetch }
      }
      kubectl={lines[0]}
      moreLines={
        lines.length > 1 ? (
          <div>
            <CopyButton text={lines.join('\n')} label={t('copyLines', { count })}>
              {t('copyLines', { count })}
            </CopyButton>
          </div>
        ) : null
      }
    >
      {outcomes ? (
        <p role="status" className="row">
          {cleaning.observed < cleaning.accepted ? <Spinner /> : null}
          <span>{t('observed', { observed: cleaning.observed, accepted: cleaning.accepted })}</span>
        </p>
      ) : null}
      <Outcomes items={items} outcomes={outcomes ?? dryRun.data} dry={outcomes === undefined} />
    </WriteFrame>
  );

  function guardOf(): Guard {
    if (rights.state !== 'allowed') return rights;
    if (asksCount && typed.trim() !== String(items.length)) return { state: 'wrong', reason: t('typeFirst') };
    return rights;
  }
}
