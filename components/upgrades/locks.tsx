'use client';

import { Lock } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { groupBy } from '@/lib/domain/group-by';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { objectHref } from '../shell/navigation';
import { Icon } from '../ui';

/** So many lines say enough above the list; the rest come when asked for. */
const shown = 3;

interface HeldNamespace {
  ns: string;
  first: Upgrade;
  /** It works, and the controller takes up no other. Else it keeps others from being created all the same (T48). */
  works: boolean;
  others: string[];
}

/** The namespaces in which no other operation can be created, those first where somebody waits. */
function heldNamespaces(upgrades: readonly Upgrade[]): HeldNamespace[] {
  const active = groupBy(
    upgrades.filter(({ op }) => isActive(op)),
    ({ op }) => op.ns,
  );
  return [...active]
    .flatMap(([ns, all]): HeldNamespace[] => {
      const holder = all.find(({ op, view }) => view.holder?.uid === op.uid);
      const first = holder ?? all[0];
      if (!first) return [];
      const others = all.filter((one) => one !== first).map(({ op }) => op.name);
      return [{ ns, first, works: holder !== undefined, others }];
    })
    .sort((a, b) => Number(a.works) - Number(b.works) || b.others.length - a.others.length);
}

/** One operation at a time works in a namespace: who holds it, since when, and who waits. */
export function NamespaceLocks({ upgrades }: { upgrades: readonly Upgrade[] }) {
  const t = useTranslations('upgrades.lock');
  const f = useFormats();
  const now = useNow();
  const [all, setAll] = useState(false);
  const held = heldNamespaces(upgrades);
  if (held.length === 0) return null;
  return (
    <ul className="up-locks">
      {held.slice(0, all ? held.length : shown).map(({ ns, first: { op }, works, others }) => (
        <li key={ns}>
          <Icon icon={Lock} />
          <span>
            {t.rich(works ? 'held' : 'blocked', {
              ns,
              name: op.name,
              since:
                op.created === undefined
                  ? ''
                  : t('since', { duration: f.coarse(now - op.created), at: f.time(op.created) }),
              b: (chunk) => <b className="b">{chunk}</b>,
              a: (chunk) => <Link href={objectHref('upgrades', ns, op.name)}>{chunk}</Link>,
            })}
            {' · '}
            {others.length === 0
              ? t('nobodyWaits')
              : t(works ? 'waits' : 'also', { count: others.length, names: f.list(others) })}
          </span>
        </li>
      ))}
      {held.length > shown && !all ? (
        <li>
          <button type="button" className="up-link" onClick={() => setAll(true)}>
            {t('all', { count: held.length - shown })}
          </button>
        </li>
      ) : null}
    </ul>
  );
}
