'use client';

import { Button, Note } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { resumeRisks } from '@/lib/domain/diagnosis/predict';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { useSandboxAction } from './door';

/** Those that a resume would strand, or may, with the way around that is open as long as they are paused. */
export function ResumeRisks({ rows }: { rows: readonly SandboxRow[] }) {
  const t = useTranslations('sandboxes.actions.warning');
  const open = useSandboxAction();
  const { would, may } = resumeRisks(rows, useRows('sandboxes'));
  const first = (risky: readonly SandboxRow[]) => (
    <p>
      <Button size="sm" onClick={() => open('changeImages', risky)}>
        {t('imagesFirst')}
      </Button>
    </p>
  );
  return (
    <>
      {would.length > 0 ? (
        <Note tone="attention" title={t('strandsTitle', { count: would.length })}>
          <p>{t('resumeStrands')}</p>
          {first(would)}
        </Note>
      ) : null}
      {may.length > 0 ? (
        <Note tone="attention" title={t('mayTitle', { count: may.length })}>
          <p>{t('may')}</p>
          {first(may)}
        </Note>
      ) : null}
    </>
  );
}
