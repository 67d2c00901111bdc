'use client';

import type { PoolRow } from '@/lib/contracts/rows';
import { useKept } from '../sandboxes/use-kept-row';
import { ScaleDrawer } from './scale-drawer';
import { TemplateDrawer } from './template-drawer';

export type OpenForm =
  | { which: 'scale'; pool: PoolRow }
  /** `retag`: filled with tags in the place of init images that are pinned by digest. */
  | { which: 'template'; pool: PoolRow; retag?: true };

/**
 * A form of a pool, open. It belongs to the page, not to a row, and stays for the pool it was opened for, also when
 * that is deleted meanwhile: what was typed is lost only by closing it.
 */
export function PoolForm(props: {
  form: OpenForm;
  onClose: () => void;
  /** Where the focus goes after closing; absent: where it came from. */
  returnFocus?: () => HTMLElement | null;
}) {
  const { form } = props;
  const { pool } = form;
  const kept = useKept('sandboxsets', pool.ns, pool.name, pool);
  const common = {
    pool: kept.row ?? pool,
    goneAt: kept.goneAt,
    onClose: props.onClose,
    returnFocus: props.returnFocus,
  };
  return form.which === 'scale' ? (
    <ScaleDrawer {...common} />
  ) : (
    <TemplateDrawer {...common} retag={form.retag ?? false} />
  );
}
