'use client';

import { useState } from 'react';
import type { SandboxRow } from '@/lib/contracts/rows';
import { leftoversOf } from '@/lib/domain/upgrades/leftovers';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { Button, Note } from '../../ui';
import { CleanDialog } from './clean-dialog';
import { type CleanItem, cleanItem } from './use-cleaning';
import '../upgrades.css';

/** On a sandbox's page: what an ended operation left on it, and what that will do. */
export function LeftoverNote({ row }: { row: SandboxRow }) {
  const t = useTranslations('upgrades.leftovers');
  const ops = useRows('sandboxupdateops');
  const [cleaning, setCleaning] = useState<CleanItem[]>();
  const [leftover] = leftoversOf([row], ops);
  return (
    <>
      {leftover ? (
        <div className="px-[var(--gutter)] py-2">
          <Note tone="attention" title={t('note')}>
            {leftover.kinds.map((kind) => (
              <p key={kind}>
                {t(`kind.${kind}`)}: {t(`means.${kind}`)}
              </p>
            ))}
            <p>
              <Button size="sm" onClick={() => setCleaning([cleanItem(leftover)])}>
                {t('cleanChosen', { count: 1 })}
              </Button>
            </p>
          </Note>
        </div>
      ) : null}
      {cleaning ? <CleanDialog ns={row.ns} items={cleaning} onClose={() => setCleaning(undefined)} /> : null}
    </>
  );
}
