'use client';

import { OctagonX } from 'lucide-react';
import { Button, Icon } from '@/components/ui';
import { useTranslations } from '@/lib/i18n/use-translations';

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations('shell.error');
  return (
    <main className="lone">
      <div className="blank">
        <h1 className="row" data-tone="breach">
          <Icon icon={OctagonX} />
          {t('title')}
        </h1>
        <p>{t('text')}</p>
        {error.digest ? <p className="dim sm">{t('digest', { digest: error.digest })}</p> : null}
        <Button onClick={reset}>{t('retry')}</Button>
      </div>
    </main>
  );
}
