'use client';

import Link from 'next/link';
import { type ReactNode, useEffect, useState } from 'react';
import type { Receipt } from '@/lib/contracts/writes';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { announce, ReceiptCard } from '../ui';
import { type Observation, observeWithinMs } from './use-observation';

/** What became of a write: waiting for the watch, seen, or not seen in time. Stays until the form is closed. */
export function WriteReceipt(props: {
  receipt: Receipt;
  observation: Observation;
  title: string;
  /** What is there when the change is seen; it is kept as it was then. */
  observed: ReactNode;
  /** What the live row shows when the change was not seen. */
  shown: string;
  /** To the object, with what the link is called: "Open pool". Absent where there is a way on beside the receipt. */
  link?: { href: string; text: string };
}) {
  const { receipt, observation } = props;
  const t = useTranslations('writes.receipt');
  const f = useFormats();
  const [observed, setObserved] = useState<ReactNode>();
  if (observation.state === 'observed' && observed === undefined) setObserved(props.observed);
  const detail = () => {
    if (!receipt.changed) return t('unchanged', { id: receipt.id });
    if (observation.state === 'observed') return observed;
    if (observation.state === 'accepted') return t('waiting', { id: receipt.id });
    return t('unobserved', { id: receipt.id, shown: props.shown });
  };
  const took = { accepted: undefined, observed: observation.tookMs, unobserved: observeWithinMs }[observation.state];
  // External system: the screen reader; the card itself is a status, but its change of state is drawn.
  useEffect(() => {
    if (observation.state !== 'accepted') announce(props.title);
  }, [observation.state, props.title]);
  return (
    <ReceiptCard
      state={observation.state}
      title={props.title}
      took={took === undefined || !receipt.changed ? undefined : f.duration(took)}
    >
      {detail()}
      {props.link ? (
        <>
          {' · '}
          <Link href={props.link.href}>{props.link.text}</Link>
        </>
      ) : null}
    </ReceiptCard>
  );
}
