'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { isRunning } from './entries';
import { PracticeDrawer } from './practice-drawer';
import { isMissing, practice } from './queries';

/** What is broken at the moment, and the way to break more. For the embedded cluster only; nothing where it cannot be done. */
export function PracticeButton() {
  const t = useTranslations('practice');
  const [open, setOpen] = useState(false);
  const { data, error } = useQuery(practice);
  if (isMissing(error) || data?.scenarios.length === 0) return null;
  const faults = data?.active.length ?? 0;
  const scenarios = data?.scenarios.filter(isRunning).length ?? 0;
  return (
    <>
      {scenarios > 0 ? <span className="b">{t('running', { count: scenarios })}</span> : null}
      {faults > 0 ? <span className="b">{t('active', { count: faults })}</span> : null}
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('open')}
      </button>
      <PracticeDrawer open={open} onOpenChange={setOpen} />
    </>
  );
}
