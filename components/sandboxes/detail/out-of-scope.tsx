'use client';

import { useScope } from '@/components/shell';
import { Button, Note } from '@/components/ui';
import { useTranslations } from '@/lib/i18n/use-translations';

/** The sandbox exists, and its namespace is not among those that are looked at. */
export function OutOfScope({ ns }: { ns: string }) {
  const t = useTranslations('sandboxes.detail.scope');
  const { namespaces, choose } = useScope();
  return (
    <div className="px-[var(--gutter)]">
      <Note tone="unknown" title={t('title', { ns })}>
        <p>{t('text')}</p>
        <Button size="sm" className="mt-2" onClick={() => choose([...namespaces, ns])}>
          {t('add', { ns })}
        </Button>
      </Note>
    </div>
  );
}
