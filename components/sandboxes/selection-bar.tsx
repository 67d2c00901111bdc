'use client';

import { CircleArrowUp, Download, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useShortcut } from '@/components/common';
import { Button, CopyButton, GuardedButton, IconButton, Menu, MenuItem } from '@/components/ui';
import { planUpgrade } from '@/components/upgrades/plan/hand-over';
import type { SandboxRow } from '@/lib/contracts/rows';
import { maxSelected } from '@/lib/contracts/upgrades';
import { groupBy } from '@/lib/domain/group-by';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SelectionActions } from './actions';
import { kubectlLines, nameLines } from './copy-lines';

/** What can be done with the chosen rows. `rows` are those of them that still exist. */
export function SelectionBar({
  rows,
  onExport,
  onClear,
}: {
  rows: readonly SandboxRow[];
  onExport: () => void;
  onClear: () => void;
}) {
  const t = useTranslations('sandboxes.selection');
  return (
    <section className="over-head" aria-label={t('label')}>
      <b className="b">{t('count', { count: rows.length })}</b>
      <CopyButton text={nameLines(rows)} label={t('names')}>
        {t('names')}
      </CopyButton>
      <CopyButton text={kubectlLines(rows)} label={t('kubectl')}>
        {t('kubectl')}
      </CopyButton>
      <Button icon={Download} onClick={onExport}>
        {t('export')}
      </Button>
      <UpgradeChosen rows={rows} />
      <SelectionActions rows={rows} />
      <IconButton label={t('clear')} icon={X} onClick={onClear} className="end" />
    </section>
  );
}

/** Plans an upgrade of just these; an operation works in one namespace, so that several are asked about. */
function UpgradeChosen({ rows }: { rows: readonly SandboxRow[] }) {
  const t = useTranslations('sandboxes.selection');
  const router = useRouter();
  const plan = (namespace: string, chosen: readonly SandboxRow[]) => {
    // Those that took the place of a chosen one under its name are not it: uids travel along.
    const sandboxes = chosen.map(({ uid, name }) => ({ uid, name }));
    // Who chooses a paused one means it, and the filter of the operation passes over states that it does not name.
    const paused = chosen.filter(({ phase }) => phase === 'Paused').length;
    const states = [
      ...(paused < chosen.length ? ['Running' as const] : []),
      ...(paused > 0 ? ['Paused' as const] : []),
    ];
    router.push(planUpgrade({ namespace, targets: { by: 'selection', sandboxes }, states }));
  };
  const groups = [...groupBy(rows, ({ ns }) => ns)];
  const [first] = groups;
  const tooMany = groups.some(([, chosen]) => chosen.length > maxSelected);
  useShortcut('u', () => {
    if (first && groups.length === 1 && !tooMany) plan(...first);
  });
  if (!first) return null;
  const label = t('upgrade', { count: rows.length });
  if (tooMany) {
    return (
      <GuardedButton
        guard={{ state: 'wrong', reason: t('upgradeMost', { count: maxSelected }) }}
        icon={CircleArrowUp}
        onClick={() => undefined}
      >
        {label}
      </GuardedButton>
    );
  }
  if (groups.length === 1) {
    return (
      <Button icon={CircleArrowUp} onClick={() => plan(...first)}>
        {label}
      </Button>
    );
  }
  return (
    <Menu align="start" trigger={<Button icon={CircleArrowUp}>{label}</Button>}>
      {groups.map(([namespace, chosen]) => (
        <MenuItem key={namespace} onSelect={() => plan(namespace, chosen)}>
          {t('upgradeOf', { namespace, count: chosen.length })}
        </MenuItem>
      ))}
    </Menu>
  );
}
