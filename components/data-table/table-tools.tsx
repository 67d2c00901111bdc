'use client';

import type { RowData } from '@tanstack/react-table';
import { Columns3 } from 'lucide-react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button } from '../ui/button';
import { Menu, MenuCheck, MenuItem, MenuLine } from '../ui/menu';
import type { DataTableModel } from './use-data-table';

/** `12 updates held · Apply`: nothing while the list is as it should be. */
export function HeldUpdates<Row extends RowData>({ table }: { table: DataTableModel<Row> }) {
  const t = useTranslations('common.table');
  if (table.held === 0) return null;
  return (
    <span className="hold">
      {t('held', { count: table.held })}
      <button type="button" onClick={table.apply}>
        {t('apply')}
      </button>
    </span>
  );
}

/** Which columns show; what a person chose is kept in this browser. */
export function ColumnsMenu<Row extends RowData>({ table }: { table: DataTableModel<Row> }) {
  const t = useTranslations('common.table');
  return (
    <Menu
      trigger={
        <Button icon={Columns3} className="hide-m">
          {t('columns')}
        </Button>
      }
    >
      {table.columns
        .filter((column) => !column.always)
        .map((column) => (
          <MenuCheck
            key={column.id}
            checked={table.visible[column.id] ?? false}
            onChange={(on) => table.setChoice({ ...table.choice, [column.id]: on })}
          >
            {column.header}
          </MenuCheck>
        ))}
      <MenuLine />
      <MenuItem onSelect={() => table.setChoice(undefined)}>{t('resetColumns')}</MenuItem>
    </Menu>
  );
}
