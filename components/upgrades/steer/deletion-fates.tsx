'use client';

import type { DeletionConsequences } from '@/lib/domain/upgrades/ways-out';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { Consequences } from '../../writes/consequences';

const fates = ['inFlight', 'refused', 'heldUp', 'resuming', 'resumed', 'failed', 'touched', 'finished'] as const;
const named = 20;

/** What becomes of the sandboxes of an operation that is deleted, by name, those it hits hardest first. */
export function DeletionFates(props: { fates: DeletionConsequences; waiting: number; ns: string }) {
  const t = useTranslations('upgrades.steer.delete');
  const shown = fates.filter((fate) => props.fates[fate].length > 0);
  return (
    <Consequences
      items={[
        ...shown.map((fate) => {
          const sandboxes = props.fates[fate];
          return (
            <>
              {t.rich(fate, { count: sandboxes.length, b: (chunk) => <b className="b">{chunk}</b> })}
              <p className="mono sm mut wrap-anywhere">
                <SafeText
                  text={sandboxes
                    .slice(0, named)
                    .map(({ name }) => name)
                    .join(', ')}
                />
                {sandboxes.length > named ? ` ${t('more', { count: sandboxes.length - named })}` : null}
              </p>
            </>
          );
        }),
        ...(props.waiting > 0 ? [t('waiting', { count: props.waiting })] : []),
        t('lock', { ns: props.ns }),
        t('readable'),
      ]}
    />
  );
}
