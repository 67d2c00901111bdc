'use client';

import { useMemo, useState } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { type Change, changesOf } from './changes';
import { GroupDiff, GroupName } from './group-diff';
import type { Planning } from './planning';

/** The first ones stand open, the next ones open with a press; more templates than this nobody reads one by one. */
const open = 2;
const listed = 30;

/** What becomes of the templates, those that change alike as one: of most sandboxes first. */
export function GroupDiffs({ planning: { preview, patch, form } }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.groups');
  const change = useTranslations('upgrade-plan.change');
  const found = preview.reply?.groups;
  const groups = useMemo(() => changesOf(found ?? []), [found]);
  if (form.changeBy === 'patch' && !patch) return <p className="mut">{change('waiting')}</p>;
  if (groups.length === 0) return <p className="mut">{preview.error ? change('notKnownNow') : t('none')}</p>;
  return (
    <>
      <p className="fhint">{t('masked')}</p>
      {groups.slice(0, open).map((group) => (
        <GroupDiff key={group.key} group={group} />
      ))}
      {groups.slice(open, listed).map((group) => (
        <Folded key={group.key} group={group} />
      ))}
      {groups.length > listed ? <p className="dim">{t('more', { count: groups.length - listed })}</p> : null}
    </>
  );
}

function Folded({ group }: { group: Change }) {
  const [shown, setShown] = useState(false);
  return (
    <details className="plan-more" onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        <GroupName group={group} />
      </summary>
      {shown ? <GroupDiff group={group} /> : null}
    </details>
  );
}
