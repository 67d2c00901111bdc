'use client';

import { useMemo } from 'react';
import type { TemplateGroup } from '@/lib/contracts/upgrade-preview';
import { sameJson } from '@/lib/domain/json-diff';
import { useTranslations } from '@/lib/i18n/use-translations';
import { changesOf } from './changes';
import { GroupDiff } from './group-diff';

/** The change of one real sandbox: the one that most of them see. */
export function SampleDiff({ groups }: { groups: readonly TemplateGroup[] }) {
  const t = useTranslations('upgrade-plan.groups');
  // Those in which nothing changes, as hooks-only rescues have them, are no change to look up.
  const all = useMemo(() => changesOf(groups), [groups]);
  const changes = all.filter(({ before, after }) => !sameJson(before, after));
  const first = changes[0] ?? all[0];
  if (!first) return null;
  return (
    <div>
      <GroupDiff group={first} />
      {changes.length > 1 ? <p className="fhint plan-gap">{t('others', { count: changes.length - 1 })}</p> : null}
    </div>
  );
}
