'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { Button, Note } from '../../ui';
import type { Create } from './use-create';

const named = 10;

/** The selector matches others than the list that was looked at: who came, who went, and a way to go on. */
export function MovedNote({ create: { added, missing, moved, takeNew } }: { create: Create }) {
  const t = useTranslations('upgrade-plan.moved');
  if (!moved) return null;
  return (
    <Note tone="attention" title={t('title')} live>
      {added.length > 0 ? <p>{t.rich('added', { count: added.length, names: () => <Names of={added} /> })}</p> : null}
      {missing.length > 0 ? (
        <p>{t.rich('missing', { count: missing.length, names: () => <Names of={missing} /> })}</p>
      ) : null}
      <p>
        <Button size="sm" onClick={takeNew}>
          {t('take')}
        </Button>
      </p>
    </Note>
  );
}

function Names({ of }: { of: readonly { name: string }[] }) {
  const t = useTranslations('upgrade-plan.problem');
  return (
    <span className="mono">
      <SafeText
        text={of
          .slice(0, named)
          .map(({ name }) => name)
          .join(', ')}
      />
      {of.length > named ? ` ${t('more', { count: of.length - named })}` : null}
    </span>
  );
}
