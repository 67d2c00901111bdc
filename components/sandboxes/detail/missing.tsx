'use client';

import Link from 'next/link';
import { EmptyState } from '@/components/common';
import { kubectlGet } from '@/lib/domain/kubectl';
import { useTranslations } from '@/lib/i18n/use-translations';

/** There is no such sandbox: it may have been deleted, or the name may belong elsewhere. */
export function Missing({ ns, name }: { ns: string; name: string }) {
  const t = useTranslations('sandboxes.detail.missing');
  return (
    <EmptyState
      title={t('title', { name, ns })}
      command={kubectlGet(ns, 'sandboxes', name)}
      action={
        <Link className="btn" href={`/sandboxes?q=${encodeURIComponent(name)}`}>
          {t('search')}
        </Link>
      }
    >
      {t('text')}
    </EmptyState>
  );
}
