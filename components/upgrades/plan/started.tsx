'use client';

import Link from 'next/link';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { PageHead } from '../../common';
import { objectHref } from '../../shell/navigation';
import { Button, ButtonLink, CodeBlock, CopyButton } from '../../ui';
import { useObservation } from '../../writes/use-observation';
import { WriteReceipt } from '../../writes/write-receipt';
import type { Sent } from './planning';

/** It was taken: the receipt, and where to watch it. */
export function Started({ sent, onNew }: { sent: Sent; onNew: () => void }) {
  const t = useTranslations('upgrade-plan');
  const { receipt, namespace, name } = sent;
  const row = useRows('sandboxupdateops').find(({ uid }) => uid === receipt.object.uid);
  const observation = useObservation(receipt, sent.at, row !== undefined);
  const href = objectHref('upgrades', namespace, name);
  return (
    <>
      <PageHead crumb={<Link href="/upgrades">{t('crumb')}</Link>} title={name} sub={namespace} />
      <div className="plan-started">
        <WriteReceipt
          receipt={receipt}
          observation={observation}
          title={t('started.title', { name })}
          observed={t('started.observed', { id: receipt.id })}
          shown={t('started.shown')}
          href={href}
          open={t('started.open')}
        />
        <p className="row">
          <ButtonLink variant="primary" href={href}>
            {t('started.watch')}
          </ButtonLink>
          <Button onClick={onNew}>{t('started.another')}</Button>
        </p>
        <div className="fld">
          <div className="row">
            <span className="sm mut grow">{t('started.same')}</span>
            <CopyButton text={receipt.kubectl} label={t('manifest.copy')}>
              {t('manifest.copy')}
            </CopyButton>
          </div>
          <CodeBlock text={receipt.kubectl.trimEnd()} label={t('started.same')} />
        </div>
      </div>
    </>
  );
}
