'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { SafeText, useProblemText } from '@/components/common';
import { Button, Drawer, Note, SelectField, Skeleton } from '@/components/ui';
import type { LimitedState, LimitSettings } from '@/lib/contracts/triage';
import { editKey, type LimitText, shownText, withEdits } from '@/lib/domain/limit-edits';
import { noSettings } from '@/lib/domain/limits';
import { poolKey } from '@/lib/domain/pools';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { HistoryNote } from '../../history/history-note';
import { problemOf, WriteError } from '../../writes/api';
import { LimitFields } from './limit-fields';
import { limitSettings, saveLimits } from './queries';

/** Limits by state, for all pools or one of them; what is empty is as without. Everybody's pages judge by them. */
export function LimitsDrawer({ onClose }: { onClose: () => void }) {
  const t = useTranslations('triage.limits');
  const queries = useQueryClient();
  const { data, error } = useQuery(limitSettings());
  const [pool, setPool] = useState('');
  const [edits, setEdits] = useState<ReadonlyMap<string, LimitText>>(new Map());
  const settings = data?.settings ?? noSettings;
  const { settings: wanted, faults } = withEdits(settings, edits);
  const save = useMutation({
    mutationFn: saveLimits,
    onSuccess: onClose,
    // Somebody may have been faster: what was typed then goes over theirs, which is read first.
    onError: () => queries.invalidateQueries({ queryKey: ['limits'] }),
  });
  const type = (state: LimitedState, change: Partial<LimitText>) => {
    const key = editKey(pool, state);
    const before = edits.get(key) ?? shownText(settings, pool, state);
    setEdits(new Map([...edits, [key, { ...before, ...change }]]));
  };
  const idle = !data || edits.size === 0 || faults.size > 0;
  const first = [...faults.keys()][0];
  return (
    <Drawer
      open
      onOpenChange={onClose}
      title={t('title')}
      subtitle={t('subtitle')}
      footer={
        <>
          <Button
            variant="primary"
            busy={save.isPending}
            aria-disabled={idle}
            onClick={() => {
              if (!idle && !save.isPending) save.mutate({ version: settings.version, ...wanted });
            }}
          >
            {t('save')}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            {t('cancel')}
          </Button>
          {first === undefined || first.startsWith(`${pool} `) ? null : (
            <span className="sm ferr">
              {t('elsewhere', { pool: first.slice(0, first.lastIndexOf(' ')) || t('all') })}
            </span>
          )}
        </>
      }
    >
      {save.error ? <Refusal error={save.error} /> : null}
      <HistoryNote store={data?.store} error={error} />
      {data ? (
        <>
          <PoolField settings={settings} value={pool} onChange={setPool} />
          <LimitFields pool={pool} settings={wanted} stored={settings} edits={edits} faults={faults} onType={type} />
          <LastChange settings={settings} />
        </>
      ) : error ? null : (
        <Skeleton width="80%" />
      )}
    </Drawer>
  );
}

function PoolField({
  settings,
  value,
  onChange,
}: {
  settings: LimitSettings;
  value: string;
  onChange: (pool: string) => void;
}) {
  const t = useTranslations('triage.limits');
  const pools = useRows('sandboxsets').map(({ ns, name }) => poolKey(ns, name));
  const own = new Set(Object.keys(settings.pools));
  const all = [...new Set([...own, ...pools])].sort();
  return (
    <SelectField
      label={t('for')}
      hint={value === '' ? t('allHint') : t('poolHint')}
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: t('all') },
        ...all.map((pool) => ({ value: pool, label: own.has(pool) ? t('own', { pool }) : pool })),
      ]}
    />
  );
}

function LastChange({ settings: { by, at } }: { settings: LimitSettings }) {
  const t = useTranslations('triage.limits');
  const f = useFormats();
  if (by === undefined || at === undefined) return null;
  return (
    <p className="sm dim">
      <SafeText text={t('changed', { by, at: f.dateTime(at) })} />
    </p>
  );
}

function Refusal({ error }: { error: Error }) {
  const t = useTranslations('triage.limits');
  const say = useProblemText();
  const conflict = error instanceof WriteError && error.problem.code === 'conflict';
  return (
    <Note tone={conflict ? 'attention' : 'breach'} title={t(conflict ? 'faster' : 'refused')} live>
      <p className="wrap-anywhere">
        <SafeText text={say(problemOf(error))} />
      </p>
      {conflict ? <p className="mt-1">{t('again')}</p> : null}
    </Note>
  );
}
