'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import { resolveIntOrPercent } from '@/lib/domain/budget';
import { isObject } from '@/lib/domain/json-diff';
import type { PoolStats } from '@/lib/domain/pools';
import { cpuText, memoryText, podAsk } from '@/lib/domain/quantities';
import { type Runway, runwayOf } from '@/lib/domain/runway';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { useProblemText } from '../../common';
import { problemOf } from '../../writes/api';
import { poolObject } from './api';
import { Lines } from './lines';

const dim = (chunks: ReactNode) => <span className="dim">{chunks}</span>;

/** What is there now and what the change does to it. */
export function ScaleFacts({ pool, stats, to }: { pool: PoolRow; stats: PoolStats; to: number }) {
  const t = useTranslations('writes.scale');
  const f = useFormats();
  const added = Math.max(0, to - pool.desired);
  const now = runwayOf(pool, stats);
  const later = runwayOf({ ...pool, desired: to }, { ...stats, available: stats.available + added });
  const limit = resolveIntOrPercent(pool.scaleMax, to);
  return (
    <Lines
      items={[
        {
          label: t('available'),
          value: t.rich('availableOf', { available: f.number(stats.available), desired: f.number(pool.desired), dim }),
        },
        {
          label: t('inFlight'),
          value: t('inFlightCounts', {
            creating: f.number(stats.creating),
            terminating: f.number(stats.terminating),
          }),
        },
        {
          label: t('runway'),
          value:
            // While refills fail, what is added does not come.
            added > 0 && now.kind === 'empty-in' && !now.unfilled ? (
              <>
                <RunwayText runway={now} />
                <span className="arrow">→</span>
                <RunwayText runway={later} />
              </>
            ) : (
              <RunwayText runway={now} />
            ),
        },
        {
          label: t('atOnce'),
          value:
            limit === undefined
              ? t.rich('unlimited', { dim })
              : t.rich('limited', { count: f.number(limit), written: String(pool.scaleMax), dim }),
        },
        { label: t('claimed'), value: f.number(stats.claimed) },
      ]}
    />
  );
}

function RunwayText({ runway }: { runway: Runway }) {
  const t = useTranslations('writes.scale');
  const f = useFormats();
  switch (runway.kind) {
    case 'empty-in':
      return t(runway.unfilled ? 'runwayUnfilled' : 'runwayMinutes', { minutes: f.number(Math.floor(runway.minutes)) });
    case 'steady':
      return t('runwaySteady');
    case 'idle':
      return t('runwayIdle');
    case 'empty':
      return <b className="b">{t('runwayEmpty')}</b>;
    case 'unknown':
      return t('runwayUnknown');
  }
}

/** What more Pods ask of the cluster: their number times the template's requests. */
export function ClusterAsk({ pool, added }: { pool: PoolRow; added: number }) {
  const t = useTranslations('writes.scale');
  const object = useQuery({ ...poolObject(pool), enabled: pool.templateRef === undefined });
  const nodes = useRows('nodes');
  const say = useProblemText();
  const spec = object.data?.object.spec;
  const template = isObject(spec) ? spec.template : undefined;
  const remark = pool.templateRef
    ? t('askReference', { name: pool.templateRef })
    : object.error
      ? t('askUnknown', { message: say(problemOf(object.error)) })
      : undefined;
  if (!remark && template === undefined) return null;
  const ask = podAsk(template);
  const usable = nodes.filter((node) => node.ready && !node.cordoned);
  const sum = (of: 'cpu' | 'memory') => usable.reduce((all, node) => all + (node[of] ?? 0), 0);
  const lines = [
    ask.cpu === undefined
      ? undefined
      : {
          label: t('cpu'),
          value: (
            <Product
              count={added}
              each={cpuText(ask.cpu)}
              product={t('cores', { count: added * ask.cpu, cores: cpuText(added * ask.cpu) })}
              total={usable.length > 0 ? cpuText(sum('cpu') / 1000) : undefined}
            />
          ),
        },
    ask.memory === undefined
      ? undefined
      : {
          label: t('memory'),
          value: (
            <Product
              count={added}
              each={memoryText(ask.memory)}
              product={memoryText(added * ask.memory)}
              total={usable.length > 0 ? memoryText(sum('memory')) : undefined}
            />
          ),
        },
  ].filter((line) => line !== undefined);
  return (
    <div>
      <div className="sm mut" style={{ paddingBottom: 2 }}>
        {t('ask', { count: added })}
      </div>
      {lines.length > 0 && !remark ? <Lines items={lines} /> : <p className="sm dim">{remark ?? t('noRequests')}</p>}
    </div>
  );
}

function Product(props: { count: number; each: string; product: string; total: string | undefined }) {
  const t = useTranslations('writes.scale');
  const f = useFormats();
  return (
    <>
      {t('product', { count: f.number(props.count), each: props.each })}
      <span className="arrow">=</span>
      <b className="b">{props.product}</b>
      {props.total ? <span className="dim"> {t('allocatable', { total: props.total })}</span> : null}
    </>
  );
}
