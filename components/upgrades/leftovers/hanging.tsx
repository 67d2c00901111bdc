'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { Fragment, useMemo } from 'react';
import type { SandboxRow } from '@/lib/contracts/rows';
import { hangingByNamespace } from '@/lib/domain/upgrades/leftovers';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow, useRows } from '@/lib/live';
import { SafeText, useListState } from '../../common';
import { sandboxPath } from '../../sandboxes/paths';
import { Button, Note } from '../../ui';
import { planUpgrade } from '../plan/hand-over';

const named = 10;

/** Sandboxes that a deleted operation has left in the middle of an upgrade: no list of operations has them any more. */
export function Hanging() {
  const t = useTranslations('upgrades.leftovers');
  const tm = useTranslations('upgrades.steer.delete');
  const router = useRouter();
  const sandboxes = useRows('sandboxes');
  const ops = useRows('sandboxupdateops');
  const now = useNow(5_000);
  // Which operations are gone is known only of those that may be listed.
  const isKnown = useListState('sandboxupdateops') === 'ready';
  const hanging = useMemo(
    () => (isKnown ? hangingByNamespace(sandboxes, ops, now) : new Map<string, SandboxRow[]>()),
    [isKnown, sandboxes, ops, now],
  );
  const plan = (namespace: string, chosen: { uid: string; name: string }[]) =>
    router.push(planUpgrade({ namespace, targets: { by: 'selection', sandboxes: chosen } }));
  return (
    <div className="grid gap-2 px-[var(--gutter)] pb-2 empty:hidden">
      {[...hanging].map(([ns, rows]) => (
        <Note key={ns} tone="breach" title={t('hanging', { count: rows.length, ns })}>
          <p>{t('hangingText')}</p>
          <p className="mono sm wrap-anywhere">
            {rows.slice(0, named).map((row, index) => (
              <Fragment key={row.uid}>
                {index > 0 ? ', ' : null}
                <Link className="up-to" href={sandboxPath(row)}>
                  <SafeText text={row.name} />
                </Link>
              </Fragment>
            ))}
            {rows.length > named ? ` ${tm('more', { count: rows.length - named })}` : null}
          </p>
          <p>
            <Button
              size="sm"
              onClick={() =>
                plan(
                  ns,
                  rows.map(({ uid, name }) => ({ uid, name })),
                )
              }
            >
              {t('hangingPlan', { count: rows.length })}
            </Button>
          </p>
        </Note>
      ))}
    </div>
  );
}
