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
  // Hooks alone do nothing: they are listed with the others, and no note is due to them.
  const shown = leftover?.kinds.some((kind) => kind !== 'hooks') ? leftover : undefined;
  return (
    <>
      {shown ? (
        <div className="px-[var(--gutter)] py-2">
          <Note tone="attention" title={t('note')}>
            {shown.kinds.map((kind) => (
              <p key={kind}>
                {t(`kind.${kind}`)}: {t(`means.${kind}`)}
              </p>
            ))}
            <p>
              <Button size="sm" onClick={() => setCleaning([cleanItem(shown)])}>
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
