'use client';

import { Command } from 'cmdk';
import { Box, CircleArrowUp, FilePen, Layers, type LucideIcon, Scaling, Server } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { SafeText } from '../common/safe-text';
import { StateBadge } from '../common/state-badge';
import { objectHref, poolForms, upgradePoolHref } from './navigation';
import { PaletteItem } from './palette-item';
import { findRows, type Hits, nodeTexts, poolTexts, sandboxTexts, upgradeTexts } from './palette-search';
import type { RecentPlace } from './recent';

/** Opens a place that is remembered, at `href` where what is wanted is more than the place. */
type Go = (place: RecentPlace, href?: string) => void;

/** What is found of the cluster: its objects, and what can be done with its pools. */
export function PaletteObjects({ query, go }: { query: string; go: Go }) {
  const t = useTranslations('shell.palette');
  const sandboxes = useRows('sandboxes');
  const pools = useRows('sandboxsets');
  const upgrades = useRows('sandboxupdateops');
  const nodes = useRows('nodes');
  const found = useMemo(
    () => ({
      pools: findRows(pools, query, poolTexts, 5),
      sandboxes: findRows(sandboxes, query, sandboxTexts, 8),
      upgrades: findRows(upgrades, query, upgradeTexts, 5),
      nodes: findRows(nodes, query, nodeTexts, 5),
    }),
    [nodes, pools, query, sandboxes, upgrades],
  );
  return (
    <>
      <Found
        heading={t('pools')}
        iconOf={() => Layers}
        hits={found.pools}
        onSelect={({ ns, name }) => go({ href: objectHref('pools', ns, name), label: name })}
        hintOf={({ ns }) => ns}
      />
      <PoolForms pools={pools} query={query} go={go} />
      <Found
        heading={t('sandboxes')}
        iconOf={() => Box}
        hits={found.sandboxes}
        onSelect={({ ns, name }) => go({ href: objectHref('sandboxes', ns, name), label: name })}
        hintOf={({ state, phase }) => <StateBadge state={state} phase={phase} />}
      >
        {({ ns, name, claimName, owner }) => (
          <>
            <span className="mono">
              <SafeText text={name} />
            </span>{' '}
            <span className="dim sm">
              {ns}
              {claimName || owner ? (
                <>
                  {' · '}
                  <SafeText text={claimName || owner || ''} />
                </>
              ) : null}
            </span>
          </>
        )}
      </Found>
      <Found
        heading={t('upgrades')}
        iconOf={() => CircleArrowUp}
        hits={found.upgrades}
        onSelect={({ ns, name }) => go({ href: objectHref('upgrades', ns, name), label: name })}
        hintOf={({ ns }) => ns}
      />
      <Found
        heading={t('nodes')}
        iconOf={() => Server}
        hits={found.nodes}
        onSelect={({ name }) => go({ href: `/sandboxes?node=${encodeURIComponent(name)}`, label: name })}
        hintOf={() => t('onNode')}
      />
    </>
  );
}

const poolActions = [...poolForms, 'upgrade'] as const;
const formIcons: Record<(typeof poolActions)[number], LucideIcon> = {
  scale: Scaling,
  template: FilePen,
  upgrade: CircleArrowUp,
};

/** The forms of the pools, found by what they do as well as by their pool. */
function PoolForms({ pools, query, go }: { pools: readonly PoolRow[]; query: string; go: Go }) {
  const t = useTranslations('shell.palette');
  const forms = pools.flatMap(({ uid, ns, name: pool }) =>
    poolActions.map((form) => ({ uid: `${form} ${uid}`, ns, pool, form, name: t(`form.${form}`, { name: pool }) })),
  );
  return (
    <Found
      heading={t('poolForms')}
      iconOf={({ form }) => formIcons[form]}
      hits={findRows(forms, query, ({ pool, name, ns }) => [pool, name, ns], 6)}
      onSelect={({ ns, pool, form }) => {
        const href = objectHref('pools', ns, pool);
        go({ href, label: pool }, form === 'upgrade' ? upgradePoolHref(ns, pool) : `${href}?form=${form}`);
      }}
      hintOf={({ ns }) => ns}
    />
  );
}

/** One group of hits, and how many there are besides. */
function Found<Row extends { uid: string; name: string }>({
  heading,
  iconOf,
  hits,
  hintOf,
  onSelect,
  children = ({ name }) => <SafeText text={name} />,
}: {
  heading: string;
  iconOf: (row: Row) => LucideIcon;
  hits: Hits<Row>;
  hintOf: (row: Row) => ReactNode;
  onSelect: (row: Row) => void;
  children?: (row: Row) => ReactNode;
}) {
  const t = useTranslations('shell.palette');
  if (hits.rows.length === 0) return null;
  return (
    <Command.Group heading={heading}>
      {hits.rows.map((row) => (
        <PaletteItem key={row.uid} value={row.uid} icon={iconOf(row)} hint={hintOf(row)} onSelect={() => onSelect(row)}>
          {children(row)}
        </PaletteItem>
      ))}
      {hits.more > 0 ? <p className="pmore">{t('more', { count: hits.more })}</p> : null}
    </Command.Group>
  );
}
