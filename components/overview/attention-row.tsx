'use client';

import { CircleArrowUp, Layers, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AttentionItem, PoolItem, StuckGroup, UpgradeItem } from '@/lib/domain/attention';
import { limitsOf } from '@/lib/domain/limits';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits, useNow } from '@/lib/live';
import { DwellMeter, SafeText, severityTone, stateLooks } from '../common';
import { ButtonLink, Icon } from '../ui';

/** `first`: the one to begin with; its button is the primary one of the region. */
export function AttentionRow({ item, first = false }: { item: AttentionItem; first?: boolean }) {
  if (item.kind === 'stuck') return <Stuck item={item} first={first} />;
  if (item.kind === 'upgrade') return <Upgrade item={item} first={first} />;
  return <Pool item={item} first={first} />;
}

/** A name that stands within a sentence here; acronyms stay as they are. */
function inSentence(name: string): string {
  return /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}

function Row({
  item,
  first,
  icon,
  title,
  meta,
  dwell,
  action,
  href,
}: {
  item: AttentionItem;
  first: boolean;
  icon: LucideIcon;
  title: string;
  meta: readonly ReactNode[];
  dwell: ReactNode;
  action: string;
  href: string;
}) {
  return (
    <li data-tone={severityTone(item.severity)}>
      <Icon icon={icon} />
      <div className="min-w-0">
        <div className="t cut" title={title}>
          {title}
        </div>
        <div className="m cut">
          {meta.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence
            <span key={index}>
              {index > 0 ? ' · ' : ''}
              {part}
            </span>
          ))}
        </div>
      </div>
      {dwell ?? <span />}
      <ButtonLink size="sm" variant={first ? 'primary' : 'default'} href={href} aria-label={`${action}: ${title}`}>
        {action}
      </ButtonLink>
    </li>
  );
}

function Stuck({ item, first }: { item: StuckGroup; first: boolean }) {
  const t = useTranslations('overview.attention');
  const td = useTranslations('domain');
  const f = useFormats();
  const now = useNow();
  const limits = limitsOf(item, useLimits());
  const b = (chunk: ReactNode) => <b>{chunk}</b>;
  const state = td(`state.${item.state}`);
  const title = item.cause
    ? t('stuckTitle', { count: item.count, state, cause: inSentence(td(`cause.${item.cause}`)) })
    : t('stuckPlain', { count: item.count, state });
  const meta: ReactNode[] = [];
  const pool = item.pool && `${item.ns}/${item.pool}`;
  if (pool && item.node) meta.push(t.rich('poolOnNode', { pool, node: item.node, b }));
  else meta.push(t.rich('pool', { pool: pool ?? item.ns, b }));
  if (item.never) meta.push(t('never'));
  if (item.sessions > 0) meta.push(t('sessions', { count: item.sessions }));
  if (item.shutdownAt !== undefined && item.shutdownAt > now) {
    meta.push(t('firstShutdown', { duration: f.coarse(item.shutdownAt - now) }));
  }
  if (item.detail && !item.never) meta.push(<SafeText key="detail" text={item.detail} />);
  const query = new URLSearchParams({
    state: item.state,
    ...(item.pool ? { pool: item.pool } : {}),
    namespace: item.ns,
  });
  return (
    <Row
      item={item}
      first={first}
      icon={stateLooks[item.state].icon}
      title={title}
      meta={meta}
      dwell={<DwellMeter ms={item.oldestMs} limits={limits} severity={item.severity} atLeast={item.atLeast} />}
      action={t('triage')}
      href={`/stuck?${query}`}
    />
  );
}

function Upgrade({ item, first }: { item: UpgradeItem; first: boolean }) {
  const t = useTranslations('overview.attention');
  const limits = limitsOf({ state: 'Upgrading', ns: item.ns }, useLimits());
  const b = (chunk: ReactNode) => <b>{chunk}</b>;
  const meta: ReactNode[] = [];
  if (item.phase === 'Deadlocked')
    meta.push(t('deadlock', { failed: item.failed, limit: item.limit, waiting: item.waiting }));
  if (item.phase === 'Failed') meta.push(t('failedCount', { count: item.failed }));
  if (item.holdsLock) meta.push(t.rich('holdsLock', { ns: item.ns, b }));
  else meta.push(<b key="ns">{item.ns}</b>);
  return (
    <Row
      item={item}
      first={first}
      icon={CircleArrowUp}
      title={t(`upgrade.${item.phase}`, { name: item.name })}
      meta={meta}
      dwell={
        item.quietMs === undefined ? null : (
          <DwellMeter ms={item.quietMs} limits={limits} severity={item.severity} title={t('quiet')} />
        )
      }
      action={t(item.phase === 'Deadlocked' ? 'resolve' : 'open')}
      href={`/upgrades/${encodeURIComponent(item.ns)}/${encodeURIComponent(item.name)}`}
    />
  );
}

function Pool({ item, first }: { item: PoolItem; first: boolean }) {
  const t = useTranslations('overview.attention');
  const td = useTranslations('domain.cause');
  const f = useFormats();
  const meta: ReactNode[] = [
    <b key="ns">{item.ns}</b>,
    t('available', { available: f.number(item.available), desired: f.number(item.desired) }),
  ];
  if (item.claimsPerMin !== undefined && item.refillsPerMin !== undefined) {
    meta.push(
      t(item.unfilled ? 'ratesUnfilled' : 'rates', {
        claims: f.decimal(item.claimsPerMin),
        refills: f.decimal(item.refillsPerMin),
      }),
    );
  }
  if (item.cause) meta.push(inSentence(td(item.cause)));
  const duration = item.minutes === undefined ? '' : f.coarse(item.minutes * 60_000);
  return (
    <Row
      item={item}
      first={first}
      icon={Layers}
      title={t(`poolIssue.${item.issue}`, { name: item.name, duration })}
      meta={meta}
      dwell={item.ms === undefined ? null : <DwellMeter ms={item.ms} severity={item.severity} />}
      action={t('open')}
      href={`/pools/${encodeURIComponent(item.ns)}/${encodeURIComponent(item.name)}`}
    />
  );
}
