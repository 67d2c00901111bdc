'use client';

import { Exact, KeyValues, SafeText } from '@/components/common';
import { Command } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { kubectlDescribe } from '@/lib/domain/kubectl';
import type { SandboxReading } from '@/lib/domain/object-readings';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';

/** What Kubernetes knows of the object itself. */
export function ObjectFacts({ row, sandbox }: { row: SandboxRow; sandbox: SandboxReading | undefined }) {
  const t = useTranslations('sandboxes.detail.object');
  const f = useFormats();
  const list = (texts: readonly string[]) => (texts.length > 0 ? <SafeText text={texts.join(', ')} /> : undefined);
  const behind = row.gen !== undefined && row.obs !== undefined && row.obs < row.gen;
  return (
    <>
      <KeyValues
        items={[
          { label: t('namespace'), value: row.ns },
          { label: 'uid', value: row.uid, mono: true },
          { label: t('created'), value: row.created === undefined ? undefined : <Exact at={row.created} /> },
          ...(row.deleting === undefined ? [] : [{ label: t('deleting'), value: <Exact at={row.deleting} /> }]),
          {
            label: t('generation'),
            value:
              row.gen === undefined ? undefined : (
                <>
                  {f.number(row.gen)}
                  {behind && row.obs !== undefined ? (
                    <span className="dim"> {t('observed', { observed: f.number(row.obs) })}</span>
                  ) : null}
                </>
              ),
          },
          { label: t('labels'), value: sandbox && list(sandbox.labels.map((pair) => pair.join('='))) },
          { label: t('finalizers'), value: sandbox && list(sandbox.finalizers) },
          { label: t('runtimes'), value: sandbox && list(sandbox.runtimes) },
          { label: t('upgradePolicy'), value: sandbox?.upgradePolicy },
          {
            label: t('recycled'),
            value: sandbox?.recycledCount === undefined ? undefined : t('times', { count: sandbox.recycledCount }),
          },
          ...(row.locked ? [{ label: t('lock'), value: t('locked') }] : []),
        ]}
      />
      <div className="px-[var(--gutter)] pb-4">
        <Command text={kubectlDescribe(row.ns, 'sandboxes', row.name)} />
      </div>
    </>
  );
}
