'use client';

import { Download, X } from 'lucide-react';
import { Button, CopyButton, IconButton } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { useTranslations } from '@/lib/i18n/use-translations';
import { kubectlLines, nameLines } from './copy-lines';

/** What can be done with the chosen rows. `rows` are those of them that still exist. */
export function SelectionBar({
  rows,
  onExport,
  onClear,
}: {
  rows: readonly SandboxRow[];
  onExport: () => void;
  onClear: () => void;
}) {
  const t = useTranslations('sandboxes.selection');
  return (
    <section className="over-head" aria-label={t('label')}>
      <b className="b">{t('count', { count: rows.length })}</b>
      <CopyButton text={nameLines(rows)} label={t('names')}>
        {t('names')}
      </CopyButton>
      <CopyButton text={kubectlLines(rows)} label={t('kubectl')}>
        {t('kubectl')}
      </CopyButton>
      <Button icon={Download} onClick={onExport}>
        {t('export')}
      </Button>
      <IconButton label={t('clear')} icon={X} onClick={onClear} className="end" />
    </section>
  );
}
