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
  const { would, may } = resumeRisks(rows, useRows('sandboxes'));
  return (
    <>
      {would.length > 0 ? (
        <Note tone="attention" title={t('strandsTitle', { count: would.length })}>
          <p>{t('resumeStrands')}</p>
          <Remedies rows={would} />
          <ImagesFirst rows={would} />
        </Note>
      ) : null}
      {may.length > 0 ? (
        <Note tone="attention" title={t('mayTitle', { count: may.length })}>
          <p>{t('may')}</p>
          <Remedies rows={may} />
          <ImagesFirst rows={may} />
        </Note>
      ) : null}
    </>
  );
}

/** What spares them, by who names the image. */
export function Remedies({ rows }: { rows: readonly SandboxRow[] }) {
  const t = useTranslations('sandboxes.actions.warning.remedy');
  return [...new Set(rows.map(({ imageFrom }) => imageFrom ?? 'own'))].map((who) => <p key={who}>{t(who)}</p>);
}

/** Only of those whose own template names the image. */
function ImagesFirst({ rows }: { rows: readonly SandboxRow[] }) {
  const t = useTranslations('sandboxes.actions.warning');
  const open = useSandboxAction();
  const own = rows.filter(({ imageFrom }) => imageFrom === undefined);
  if (own.length === 0) return null;
  return (
    <p>
      <Button size="sm" onClick={() => open('changeImages', own)}>
        {t('imagesFirst')}
      </Button>
    </p>
  );
}
