'use client';

import { Check } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from '@/lib/i18n/use-translations';
import { objectHref } from '../../shell/navigation';
import { Icon, Note } from '../../ui';
import type { Planning } from './planning';

/**
 * One operation at a time works in a namespace: who holds that place, and that a second one is refused, not queued.
 * @param props.whole also says so when nobody does
 */
export function LockNote({ planning: { form, preview }, whole }: { planning: Planning; whole?: boolean }) {
  const t = useTranslations('upgrade-plan.lock');
  const [holder, ...waiting] = preview.reply?.active ?? [];
  if (holder === undefined) {
    // Of an answer that is not the last one any more, that nobody holds it is not known.
    return whole && preview.reply && !preview.error ? (
      <p className="row sm mut">
        <Icon icon={Check} tone="ok" />
        {t('free', { namespace: form.namespace })}
      </p>
    ) : null;
  }
  const held = preview.reply?.targets.filter(({ heldBy }) => heldBy !== undefined).length ?? 0;
  return (
    <Note tone="attention" title={t('title', { namespace: form.namespace, name: holder })}>
      <p>
        {t.rich('text', {
          a: (chunk) => <Link href={objectHref('upgrades', form.namespace, holder)}>{chunk}</Link>,
        })}
      </p>
      {held > 0 ? <p>{t('held', { count: held, name: holder })}</p> : null}
      {waiting.length > 0 ? (
        <p>{t('waiting', { count: waiting.length, names: waiting.slice(0, 5).join(', ') })}</p>
      ) : null}
    </Note>
  );
}
