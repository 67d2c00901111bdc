'use client';

import { Lock } from 'lucide-react';
import Link from 'next/link';
import type { Upgrade } from '@/lib/domain/upgrade-views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { objectHref } from '../shell/navigation';
import { Icon } from '../ui';

/** One operation at a time works in a namespace: who holds it, since when, and who waits for it. */
export function NamespaceLocks({ upgrades }: { upgrades: readonly Upgrade[] }) {
  const t = useTranslations('upgrades.lock');
  const f = useFormats();
  const now = useNow();
  const holders = upgrades.filter(({ op, view }) => view.holder?.uid === op.uid);
  if (holders.length === 0) return null;
  return (
    <ul className="border-t border-line">
      {holders.map(({ op, view }) => {
        const waiting = upgrades.filter(
          (other) => other.op.ns === op.ns && other.op.uid !== op.uid && view.active.includes(other.op.name),
        );
        return (
          <li key={op.uid} className="more flex-nowrap">
            <Icon icon={Lock} />
            <span>
              {t.rich('held', {
                ns: op.ns,
                name: op.name,
                b: (chunk) => <b className="b">{chunk}</b>,
                a: (chunk) => <Link href={objectHref('upgrades', op.ns, op.name)}>{chunk}</Link>,
              })}{' '}
              {op.created === undefined ? null : t('since', { duration: f.coarse(now - op.created) })}
              {' · '}
              {waiting.length === 0
                ? t('nobodyWaits')
                : t('waits', { count: waiting.length, names: f.list(waiting.map((other) => other.op.name)) })}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
