'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { stringify } from 'yaml';
import type { KubeObject } from '@/lib/contracts/objects';
import type { UpgradeHistoryReply } from '@/lib/contracts/upgrade-history';
import { visibleText } from '@/lib/domain/text';
import type { OperationReading } from '@/lib/domain/upgrades/operation-reading';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText, SectionHead } from '../common';
import { CodeBlock, Command, Note, Skeleton } from '../ui';
import { ProblemNote } from '../writes/problem-note';
import { SideBySideView } from '../writes/side-by-side-view';
import { upgradeHistory } from './queries';
import { Settings } from './settings';
import type { UpgradeFormState } from './steer/use-form';

const yaml = (value: unknown) =>
  visibleText(stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd());
/** More kinds of template than this nobody compares one by one. */
const shown = 10;

/** What the operation changes: its patch, what became of each kind of template, and the rules it works under. */
export function ChangeTab(props: {
  upgrade: Upgrade;
  object: KubeObject | undefined;
  reading: OperationReading | undefined;
  form: UpgradeFormState;
}) {
  const { upgrade, object, reading, form } = props;
  const t = useTranslations('upgrades.change');
  const { data, error, refetch } = useQuery(upgradeHistory(upgrade.op));
  const unknown = data?.unknown.length ?? 0;
  const { op } = upgrade;
  const over = !isActive(op) || op.goneAt !== undefined;
  return (
    <div className="split">
      <div className="min-w-0">
        <SectionHead title={t('patch')} hint={t('patchHint')} />
        {reading?.patch ? (
          <CodeBlock text={yaml(reading.patch)} label={t('patch')} />
        ) : (
          <p className="more">{object && !upgrade.op.hasPatch ? t('noPatch') : '–'}</p>
        )}
        <SectionHead title={t('templates')} hint={t('templatesHint')} />
        <div className="up-diffs">
          {error ? <ProblemNote about="upgrade" asked="reading" error={error} onAsk={() => void refetch()} /> : null}
          {data || error ? null : <Skeleton width={320} />}
          {data?.groups.slice(0, shown).map((group) => (
            <GroupChange key={group.key} group={group} over={over} />
          ))}
          {data && data.groups.length > shown ? (
            <p className="mut">{t('more', { count: data.groups.length - shown })}</p>
          ) : null}
          {data && data.groups.length === 0 && unknown === 0 ? (
            <p className="mut">{t(over ? 'nonePast' : 'none')}</p>
          ) : null}
          {unknown > 0 ? (
            <Note tone="unknown" title={t('unknown', { count: unknown })}>
              {t('unknownText')}
            </Note>
          ) : null}
        </div>
        <div className="p-[var(--gutter)]">
          <Command label={t('check')} text={checkLine(op)} />
        </div>
      </div>
      <Settings upgrade={upgrade} object={object} form={form} />
    </div>
  );
}

/** The images that its sandboxes ask for now, and whether they run. */
const checkLine = ({ ns, name }: Upgrade['op']) =>
  `kubectl -n ${ns} get sbx -l agents.kruise.io/update-ops=${name} -o 'custom-columns=NAME:.metadata.name,PHASE:.status.phase,IMAGE:.spec.template.spec.containers[*].image'`;

function GroupChange({ group, over }: { group: UpgradeHistoryReply['groups'][number]; over: boolean }) {
  const t = useTranslations('upgrades.change');
  const texts = useMemo(() => ({ before: yaml(group.before), after: yaml(group.after) }), [group]);
  const sample = group.sandboxes[0]?.name ?? '';
  return (
    <div>
      <p className="pb-1">
        {t.rich('group', {
          count: group.sandboxes.length,
          sample: () => (
            <span className="mono">
              <SafeText text={sample} />
            </span>
          ),
        })}
      </p>
      {texts.before === texts.after ? (
        <p className="mut">{t(over ? 'samePast' : 'same')}</p>
      ) : (
        <SideBySideView
          {...texts}
          label={t('diffOf', { name: sample })}
          heads={{ before: t('before'), after: t('after') }}
        />
      )}
    </div>
  );
}
