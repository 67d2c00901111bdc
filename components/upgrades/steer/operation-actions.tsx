'use client';

import { CopyPlus, Ellipsis, Gauge, Pause, Play, ShieldAlert, Trash2, Undo2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button, GuardedButton, IconButton, Menu, MenuItem } from '../../ui';
import { useWriteGuard } from '../../writes/use-write-guard';
import { type HandedOver, planUpgrade } from '../plan/hand-over';
import type { UpgradeFormState } from './use-form';

type Props = {
  upgrade: Upgrade;
  goneAt: number | undefined;
  form: UpgradeFormState;
  /** The same once more, to be changed and started as another operation; absent until the object is read. */
  again: HandedOver | undefined;
};

/** What can be done with an operation. Each opens its form: nothing is sent from here. */
export function OperationActions(props: Props) {
  return props.goneAt === undefined && isActive(props.upgrade.op) ? <Steer {...props} /> : <AfterEnd {...props} />;
}

/** One that is over, or gone, cannot be steered any more: what is left is another one. */
function AfterEnd({ upgrade: { op }, goneAt, form, again }: Props) {
  const router = useRouter();
  const t = useTranslations('upgrades.steer.action');
  return (
    <>
      {again ? (
        <Button icon={CopyPlus} onClick={() => router.push(planUpgrade(again))}>
          {t('again')}
        </Button>
      ) : null}
      <Button icon={Undo2} onClick={() => form.open('rollBack')}>
        {t('rollBack')}
      </Button>
      {goneAt === undefined ? (
        <Menu align="end" trigger={<IconButton label={t('menu', { name: op.name })} icon={Ellipsis} />}>
          <MenuItem icon={Trash2} onSelect={() => form.open('delete')}>
            {t('delete')}
          </MenuItem>
        </Menu>
      ) : null}
    </>
  );
}

function Steer({ upgrade: { op }, form, again }: Props) {
  const router = useRouter();
  const t = useTranslations('upgrades.steer.action');
  const guard = useWriteGuard('steerUpgrade', op.ns, undefined);
  return (
    <>
      {op.paused ? (
        <GuardedButton guard={guard} variant="primary" icon={Play} onClick={() => form.open('continue')}>
          {t('continue')}
        </GuardedButton>
      ) : (
        <GuardedButton guard={guard} icon={Pause} onClick={() => form.open('pause')}>
          {t('pause')}
        </GuardedButton>
      )}
      <GuardedButton guard={guard} icon={Gauge} className="hide-m" onClick={() => form.open('limit')}>
        {t('limit')}
      </GuardedButton>
      <Menu align="end" trigger={<IconButton label={t('menu', { name: op.name })} icon={Ellipsis} />}>
        <MenuItem icon={Gauge} onSelect={() => form.open('limit')}>
          {t('limit')}
        </MenuItem>
        <MenuItem icon={ShieldAlert} onSelect={() => form.open('guard')}>
          {t('guard')}
        </MenuItem>
        {again ? (
          <MenuItem icon={CopyPlus} onSelect={() => router.push(planUpgrade(again))}>
            {t('again')}
          </MenuItem>
        ) : null}
        <MenuItem icon={Undo2} onSelect={() => form.open('rollBack')}>
          {t('rollBack')}
        </MenuItem>
        <MenuItem icon={Trash2} onSelect={() => form.open('delete')}>
          {t('delete')}
        </MenuItem>
      </Menu>
    </>
  );
}
