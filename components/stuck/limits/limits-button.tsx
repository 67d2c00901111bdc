'use client';

import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui';
import { useTranslations } from '@/lib/i18n/use-translations';
import { LimitsDrawer } from './limits-drawer';

/** After how long a state is amber and red, for all and by pool. */
export function LimitsButton() {
  const t = useTranslations('triage.limits');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={SlidersHorizontal} onClick={() => setOpen(true)}>
        {t('open')}
      </Button>
      {open ? <LimitsDrawer onClose={() => setOpen(false)} /> : null}
    </>
  );
}
