'use client';

import clsx from 'clsx';
import { X } from 'lucide-react';
import Link from 'next/link';
import { ExternalLink, SafeText, severityTone } from '@/components/common';
import { Icon, Skeleton } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { compareImages } from '@/lib/domain/images';
import type { PodReading } from '@/lib/domain/object-readings';
import { severityOf } from '@/lib/domain/severity';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { poolPath } from '../sandboxes/paths';
import { ImageComparison } from './image-comparison';

const issue = 'https://github.com/openkruise/agents/pull/979';

/** One gate of many is shown: it has no number. */
const oneGate = 'grid-cols-[16px_minmax(0,1fr)_auto] before:hidden';
/** Red is for what is past its breach line. */
const quietGate = 'shadow-[inset_2px_0_0_var(--tone,var(--line-2))]';

/** What the cause rests on: the compared image names, or the cluster's own words. */
export function Evidence({
  row,
  said,
  pod,
  waiting,
}: {
  row: SandboxRow;
  said: string | undefined;
  pod: PodReading | undefined;
  waiting: boolean;
}) {
  const t = useTranslations('stuck.evidence');
  const tc = useTranslations('domain.cause');
  const tone = severityTone(severityOf(row, useNow()));
  const { cause } = row;
  if (!cause) return null;
  const init = cause.code === 'InitImageMismatch' ? differing(pod) : undefined;
  if (!init && said === undefined && !(waiting && cause.code === 'InitImageMismatch')) return null;
  return (
    <ul className="gates">
      <li className={clsx('gate', oneGate, tone !== 'breach' && quietGate)} data-g="fail" data-tone={tone}>
        <Icon icon={X} />
        <span className="q">{cause.code === 'InitImageMismatch' ? t('initImage') : tc(cause.code)}</span>
        <span className={clsx('ev', tone !== 'breach' && 'text-muted')}>
          {init ? t('differs', { container: init.name }) : null}
        </span>
        {init ? (
          <>
            <ImageComparison spec={init.spec} status={init.status} />
            <Explanation row={row} spec={init.spec} status={init.status} />
          </>
        ) : (
          <div className="col-span-full mt-1 wrap-anywhere">
            {said === undefined ? (
              <Skeleton width="80%" />
            ) : (
              <span className="mono whitespace-pre-wrap">
                <SafeText text={said} lines="keep" />
              </span>
            )}
          </div>
        )}
      </li>
    </ul>
  );
}

/** The first init container whose reported image is not the one asked for. */
function differing(pod: PodReading | undefined): { name: string; spec: string; status: string } | undefined {
  for (const { kind, name, spec, status } of pod?.containers ?? []) {
    if (kind !== 'main' && status !== undefined && !compareImages(spec, status).equal) return { name, spec, status };
  }
  return undefined;
}

/** Why two names of one image differ, and the way around it that is known to work. */
function Explanation({ row, spec, status }: { row: SandboxRow; spec: string; status: string }) {
  const t = useTranslations('stuck.evidence');
  const comparison = compareImages(spec, status);
  const pinned = comparison.spec.reference?.digest !== undefined;
  const { pool } = row;
  return (
    <p className="sm mut col-span-full mt-[7px]">
      {t(comparison.status.kind === 'image-id' ? 'bareId' : comparison.never ? 'alias' : 'other')}{' '}
      {pinned && pool !== undefined
        ? t.rich(row.hash === undefined ? 'pinned' : 'pinnedRevision', {
            pool,
            hash: row.hash ?? '',
            link: (chunk) => (
              <Link className="text-accent-fg underline underline-offset-2" href={poolPath(row.ns, pool)}>
                {chunk}
              </Link>
            ),
          })
        : null}{' '}
      {comparison.never ? t('wayAround') : null} {t('known')} <ExternalLink href={issue}>agents#979</ExternalLink>
    </p>
  );
}
