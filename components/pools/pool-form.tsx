'use client';

import type { PoolRow } from '@/lib/contracts/rows';
import { useKept } from '../sandboxes/use-kept-row';
import { ScaleDrawer } from './scale-drawer';
import { TemplateDrawer } from './template-drawer';

export type OpenForm = { which: 'scale' | 'template'; pool: PoolRow };

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
  const { which, pool } = props.form;
  const kept = useKept('sandboxsets', pool.ns, pool.name, pool);
  const Form = which === 'scale' ? ScaleDrawer : TemplateDrawer;
  return <Form pool={kept.row ?? pool} goneAt={kept.goneAt} onClose={props.onClose} returnFocus={props.returnFocus} />;
}
