import { type DataColumn, RowLink } from '../data-table';
import { sandboxPath } from '../sandboxes/paths';

/** The first column of a list of sandboxes of one namespace that are known by name only. */
export const sandboxColumn = <Row extends { name: string }>(header: string, ns: string): DataColumn<Row> => ({
  id: 'name',
  header,
  width: 190,
  always: true,
  cell: ({ name }) => <RowLink href={sandboxPath({ ns, name })} name={name} mono />,
  sort: ({ name }) => name,
});
