'use client';

import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { PageHead } from '../../common';
import { objectHref } from '../../shell/navigation';
import { Button, ButtonLink, Command } from '../../ui';
import { useObservation } from '../../writes/use-observation';
import { WriteReceipt } from '../../writes/write-receipt';
import type { Sent } from './planning';

/** It was taken: the receipt, and where to watch it. */
export function Started({ sent, onNew }: { sent: Sent; onNew: () => void }) {
  const t = useTranslations('upgrade-plan');
  const { receipt, namespace, name } = sent;
  const row = useRows('sandboxupdateops').find(({ uid }) => uid === receipt.object.uid);
  const observation = useObservation(receipt, sent.at, row !== undefined);
  const place = useRef<HTMLElement>(null);
  // External system: the browser's focus, which stood on what is gone.
  useEffect(() => place.current?.focus(), []);
  return (
    <section ref={place} tabIndex={-1} aria-label={t('started.title', { name })}>
      <PageHead crumb={<Link href="/upgrades">{t('crumb')}</Link>} title={name} sub={namespace} />
      <div className="plan-started">
        <WriteReceipt
          receipt={receipt}
          observation={observation}
          title={t('started.title', { name })}
          observed={t('started.observed', { id: receipt.id })}
          shown={t('started.shown')}
        />
        <p className="row">
          <ButtonLink variant="primary" href={objectHref('upgrades', namespace, name)}>
            {t('started.watch')}
          </ButtonLink>
          <Button onClick={onNew}>{t('started.another')}</Button>
        </p>
        <Command text={receipt.kubectl} label={t('started.same')} />
      </div>
    </section>
  );
}
