'use client';

import { useMemo } from 'react';
import type { TemplateGroup } from '@/lib/contracts/upgrades';
import { useTranslations } from '@/lib/i18n/use-translations';
import { changesOf } from './changes';
import { GroupDiff } from './group-diff';

/** The change of one real sandbox: the one that most of them see. */
export function SampleDiff({ groups }: { groups: readonly TemplateGroup[] }) {
  const t = useTranslations('upgrade-plan.groups');
  const changes = useMemo(() => changesOf(groups), [groups]);
  const [first] = changes;
  if (!first) return null;
  return (
    <div>
      <GroupDiff group={first} />
      {changes.length > 1 ? <p className="fhint plan-gap">{t('others', { count: changes.length - 1 })}</p> : null}
    </div>
  );
}
