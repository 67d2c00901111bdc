'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { Button, Note } from '../../ui';
import type { Create } from './use-create';

const named = 10;

/** The selector matches others than the list that was looked at: who came, who went, and the ways to go on. */
export function MovedNote({ create }: { create: Create }) {
  const t = useTranslations('upgrade-plan.moved');
  const { added, missing, moved, list } = create;
  if (!moved && missing.length > 0) {
    return (
      <Note tone="unknown" title={t('fewer', { count: missing.length })}>
        <p>{t.rich('fewerText', { names: () => <Names of={missing} /> })}</p>
      </Note>
    );
  }
  if (!moved) return null;
  return (
    <Note tone="attention" title={t('title')} live>
      <p>{t.rich('added', { count: added.length, names: () => <Names of={added} /> })}</p>
      {missing.length > 0 ? (
        <p>{t.rich('missing', { count: missing.length, names: () => <Names of={missing} /> })}</p>
      ) : null}
      <p>{t('keepText')}</p>
      <p className="row flex-wrap">
        <Button size="sm" onClick={create.takeNew}>
          {t('take')}
        </Button>
        <Button size="sm" onClick={create.keepList}>
          {t('keep', { count: list?.length ?? 0 })}
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
