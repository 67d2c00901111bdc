'use client';

import { Command } from 'cmdk';
import { Box, CircleArrowUp, FilePen, Layers, type LucideIcon, Scaling, Server } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { SafeText } from '../common/safe-text';
import { StateBadge } from '../common/state-badge';
import { objectHref, poolForms } from './navigation';
import { PaletteItem } from './palette-item';
import { findRows, type Hits, nodeTexts, poolTexts, sandboxTexts, upgradeTexts } from './palette-search';

type Go = (href: string, label: string) => void;

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
        hrefOf={({ ns, name }) => objectHref('pools', ns, name)}
        hintOf={({ ns }) => ns}
        go={go}
      />
      <PoolForms pools={pools} query={query} go={go} />
      <Found
        heading={t('sandboxes')}
        iconOf={() => Box}
        hits={found.sandboxes}
        hrefOf={({ ns, name }) => objectHref('sandboxes', ns, name)}
        hintOf={({ state, phase }) => <StateBadge state={state} phase={phase} />}
        go={go}
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
        hrefOf={({ ns, name }) => objectHref('upgrades', ns, name)}
        hintOf={({ ns }) => ns}
        go={go}
      />
      <Found
        heading={t('nodes')}
        iconOf={() => Server}
        hits={found.nodes}
        hrefOf={({ name }) => `/sandboxes?node=${encodeURIComponent(name)}`}
        hintOf={() => t('onNode')}
        go={go}
      />
    </>
  );
}

const formIcons: Record<(typeof poolForms)[number], LucideIcon> = { scale: Scaling, template: FilePen };

/** The forms of the pools, found by what they do as well as by their pool. */
function PoolForms({ pools, query, go }: { pools: readonly PoolRow[]; query: string; go: Go }) {
  const t = useTranslations('shell.palette');
  const forms = pools.flatMap(({ uid, ns, name: pool }) =>
    poolForms.map((form) => ({ uid: `${form} ${uid}`, ns, pool, form, name: t(`form.${form}`, { name: pool }) })),
  );
  return (
    <Found
      heading={t('poolForms')}
      iconOf={({ form }) => formIcons[form]}
      hits={findRows(forms, query, ({ pool, name, ns }) => [pool, name, ns], 6)}
      hrefOf={({ ns, pool, form }) => `${objectHref('pools', ns, pool)}?form=${form}`}
      hintOf={({ ns }) => ns}
      go={go}
    />
  );
}

/** One group of hits, and how many there are besides. */
function Found<Row extends { uid: string; name: string }>({
  heading,
  iconOf,
  hits,
  hrefOf,
  hintOf,
  go,
  children = ({ name }) => <SafeText text={name} />,
}: {
  heading: string;
  iconOf: (row: Row) => LucideIcon;
  hits: Hits<Row>;
  hrefOf: (row: Row) => string;
  hintOf: (row: Row) => ReactNode;
  go: Go;
  children?: (row: Row) => ReactNode;
}) {
  const t = useTranslations('shell.palette');
  if (hits.rows.length === 0) return null;
  return (
    <Command.Group heading={heading}>
      {hits.rows.map((row) => (
        <PaletteItem
          key={row.uid}
          value={row.uid}
          icon={iconOf(row)}
          hint={hintOf(row)}
          onSelect={() => go(hrefOf(row), row.name)}
        >
          {children(row)}
        </PaletteItem>
      ))}
      {hits.more > 0 ? <p className="pmore">{t('more', { count: hits.more })}</p> : null}
    </Command.Group>
  );
}
