'use client';

import { useMemo } from 'react';
import { stringify } from 'yaml';
import type { TemplateGroup } from '@/lib/contracts/upgrade-preview';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { SideBySideView } from '../../writes/side-by-side-view';
import type { Change } from './changes';

const yaml = (template: TemplateGroup['before']) =>
  stringify(template, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();

/** What becomes of one template, and of how many sandboxes the same does. */
export function GroupDiff({ group }: { group: Change }) {
  const t = useTranslations('upgrade-plan.groups');
  const texts = useMemo(() => ({ before: yaml(group.before), after: yaml(group.after) }), [group]);
  if (texts.before === texts.after) return <p className="dim">{t('same', { count: group.count })}</p>;
  return (
    <div className="fld">
      <span className="lab">
        <GroupName group={group} />
      </span>
      <SideBySideView {...texts} label={t('diffOf', { name: group.sample })} />
    </div>
  );
}

export function GroupName({ group: { count, sample, templates } }: { group: Change }) {
  const t = useTranslations('upgrade-plan.groups');
  return (
    <>
      {t.rich('name', {
        count,
        sample: () => (
          <span className="mono">
            <SafeText text={sample} />
          </span>
        ),
      })}
      {templates > 1 ? <span className="dim"> {t('templates', { count: templates })}</span> : null}
    </>
  );
}
