'use client';

import Link from 'next/link';
import { ExternalLink } from '@/components/common';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Compared } from '@/lib/domain/diagnosis/verdict';
import { compareImages } from '@/lib/domain/images';
import { useTranslations } from '@/lib/i18n/use-translations';
import { poolPath } from '../../sandboxes/paths';
import { ImageComparison } from '../image-comparison';

const issue = 'https://github.com/openkruise/agents/pull/979';

/** Two names of one init container's image that differ, and why. */
export function ImageEvidence({ compared, row }: { compared: Compared; row: SandboxRow }) {
  const t = useTranslations('stuck.evidence');
  const diagnosis = useTranslations('diagnosis');
  const { spec, status } = compared;
  const comparison = compareImages(spec.written, status.written);
  const { pool } = row;
  const pinned = comparison.spec.reference?.digest !== undefined && pool !== undefined;
  return (
    <div className="col-span-full">
      <ImageComparison spec={spec.written} status={status.written} />
      <p className="sm mut mt-[7px]">
        {spec.kind === status.kind ? null : `${diagnosis('otherKind')} `}
        {t(comparison.status.kind === 'image-id' ? 'bareId' : comparison.never ? 'alias' : 'other')}{' '}
        {pinned
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
    </div>
  );
}
