'use client';

import { useState } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button, Dialog } from '../../ui';

/** Throws away what was typed, after asking: nothing brings it back. */
export function DiscardDraft({ disabled, onDiscard }: { disabled: boolean; onDiscard: () => void }) {
  const t = useTranslations('upgrade-plan.draft');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button aria-disabled={disabled} onClick={() => setAsking(true)}>
        {t('discard')}
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={t('discardTitle')}
        footer={
          <>
            <Button variant="quiet" onClick={() => setAsking(false)}>
              {t('keep')}
            </Button>
            <Button
              variant="danger"
              onClick={() => {
                setAsking(false);
                onDiscard();
              }}
            >
              {t('discardNow')}
            </Button>
          </>
        }
      >
        <p>{t('discardText')}</p>
      </Dialog>
    </>
  );
}
