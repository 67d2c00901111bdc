import { Skeleton } from '../ui/skeleton';
import type { DataColumn } from './columns';

const shares = [62, 45, 54, 70, 49, 58];

/** First load: rows of the real column widths, standing still. */
export function SkeletonRows<Row>({
  columns,
  selectable,
}: {
  columns: readonly DataColumn<Row>[];
  selectable: boolean;
}) {
  return shares.map((_, line) => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: these rows hold nothing and take no focus
    // biome-ignore lint/suspicious/noArrayIndexKey: nothing else tells them apart
    <tr key={line} aria-hidden="true">
      {selectable ? <td className="pick-col" /> : null}
      {columns.map((column, index) => (
        <td key={column.id} className={column.align === 'end' ? 'num' : undefined}>
          <Skeleton width={`${column.align === 'end' ? 48 : (shares[(line + index) % shares.length] ?? 50)}%`} />
        </td>
      ))}
    </tr>
  ));
}

/** Room of the rows that are not drawn. */
export function Spacer({ height, span }: { height: number; span: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: this row holds nothing and takes no focus
    <tr aria-hidden="true" className="gap">
      <td colSpan={span} style={{ height }} />
    </tr>
  );
}
