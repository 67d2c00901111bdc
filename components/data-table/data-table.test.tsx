// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useMemo, useState } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { useRows } from '@/lib/live';
import { delta, sandbox } from '@/lib/live/testing';
import { FilteredEmpty } from '../common/list-states';
import { giveElementsSize, renderConsole } from '../testing/render-console';
import { ColumnsMenu, type DataColumn, DataTable, HeldUpdates, RowLink, type Sort, useDataTable } from '.';

const router = { push: vi.fn() };
vi.mock('next/navigation', () => ({ useRouter: () => router, usePathname: () => '/sandboxes' }));

const getId = (row: SandboxRow) => row.uid;
const hrefOf = (row: SandboxRow) => `/sandboxes/${row.ns}/${row.name}`;
const opened = vi.fn();
const drawn = vi.fn();

function List({ filter = '' }: { filter?: string }) {
  const all = useRows('sandboxes');
  const rows = useMemo(() => all.filter((row) => row.name.includes(filter)), [all, filter]);
  const [sort, setSort] = useState<Sort>({ id: 'restarts', desc: true });
  const columns = useMemo<DataColumn<SandboxRow>[]>(
    () => [
      {
        id: 'name',
        header: 'Name',
        width: 160,
        always: true,
        cell: (row) => <RowLink href={hrefOf(row)} name={row.name} />,
        sort: (row) => row.name,
      },
      {
        id: 'restarts',
        header: 'Restarts',
        width: 80,
        align: 'end',
        cell: (row) => {
          drawn(row.uid);
          return row.restarts ?? '–';
        },
        sort: (row) => row.restarts,
        sortFirst: 'descending',
      },
    ],
    [],
  );
  const table = useDataTable({
    id: 'test',
    rows,
    columns,
    getId,
    sort,
    onSort: setSort,
    scope: filter,
    selectable: true,
  });
  return (
    <>
      <HeldUpdates table={table} />
      <ColumnsMenu table={table} />
      <DataTable
        table={table}
        kind="sandboxes"
        label="Sandboxes"
        nameOf={(row) => row.name}
        hrefOf={hrefOf}
        onOpen={(row) => opened(row.uid)}
        empty={<FilteredEmpty total={all.length} onClear={() => undefined} />}
      />
    </>
  );
}

const rows = [1, 2, 3].map((n) => sandbox(`u${n}`, { restarts: n }));
const names = () =>
  screen.getAllByRole('row').flatMap((row) =>
    within(row)
      .queryAllByRole('link')
      .map((link) => link.textContent),
  );

type Tab = Awaited<ReturnType<typeof renderConsole>>['tab'];
const stream = (tab: Tab, message: ReturnType<typeof delta>) => act(() => tab.stream.send(message));

beforeAll(() => giveElementsSize());
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

describe('DataTable', () => {
  it('keeps rows in place while the pointer is inside, changes values at once, and applies on request', async () => {
    const { tab } = await renderConsole(<List />, { rows: { sandboxes: rows } });
    expect(names()).toEqual(['name-u3', 'name-u2', 'name-u1']);
    const grid = screen.getByRole('grid');
    fireEvent.pointerEnter(grid.parentElement ?? grid);
    stream(
      tab,
      delta(2, { sandboxes: [sandbox('u1', { restarts: 9 }), sandbox('u4', { restarts: 5 })] }, { sandboxes: ['u2'] }),
    );
    await screen.findByText('3 updates held');
    expect(names()).toEqual(['name-u3', 'name-u2', 'name-u1']);
    expect(within(screen.getByRole('row', { name: /name-u1/ })).getByText('9')).toBeTruthy();
    await userEvent.setup({ pointerEventsCheck: 0 }).click(screen.getByRole('button', { name: 'Apply' }));
    expect(names()).toEqual(['name-u1', 'name-u4', 'name-u3']);
    expect(screen.queryByText(/updates? held/)).toBeNull();
  });

  it('shows what was asked for at once while holding: another sort, another filter', async () => {
    const { tab, rerender } = await renderConsole(<List />, { rows: { sandboxes: rows } });
    const grid = screen.getByRole('grid');
    fireEvent.pointerEnter(grid.parentElement ?? grid);
    stream(tab, delta(2, { sandboxes: [sandbox('u1', { restarts: 9 })] }));
    await screen.findByText('1 update held');
    fireEvent.click(screen.getByRole('button', { name: 'Name' }));
    expect(names()).toEqual(['name-u1', 'name-u2', 'name-u3']);
    expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending');
    rerender(<List filter="u2" />);
    expect(names()).toEqual(['name-u2']);
  });

  it('moves with j and k from anywhere, opens with enter, chooses with x and then holds the order', async () => {
    const { tab } = await renderConsole(<List />, { rows: { sandboxes: rows } });
    const user = userEvent.setup();
    await user.keyboard('j');
    await waitFor(() => expect(document.activeElement?.getAttribute('data-row-id')).toBe('u3'));
    await user.keyboard('j{ArrowDown}k');
    await waitFor(() => expect(document.activeElement?.getAttribute('data-row-id')).toBe('u2'));
    await user.keyboard('{Enter}');
    expect(opened).toHaveBeenCalledWith('u2');
    await user.keyboard('{End}');
    await waitFor(() => expect(document.activeElement?.getAttribute('data-row-id')).toBe('u1'));
    await user.keyboard('x');
    expect(screen.getByRole('row', { name: /name-u1/ }).getAttribute('aria-selected')).toBe('true');
    act(() => (document.activeElement as HTMLElement).blur());
    stream(tab, delta(2, { sandboxes: [sandbox('u1', { restarts: 9 })] }));
    await screen.findByText('1 update held');
    expect(names()).toEqual(['name-u3', 'name-u2', 'name-u1']);
  });

  it('leaves keys alone while somebody types or holds a modifier', async () => {
    await renderConsole(
      <>
        <input aria-label="elsewhere" />
        <List />
      </>,
      { rows: { sandboxes: rows } },
    );
    const user = userEvent.setup();
    await user.type(screen.getByRole('textbox', { name: 'elsewhere' }), 'jx');
    expect(screen.getByRole('textbox', { name: 'elsewhere' })).toHaveProperty('value', 'jx');
    act(() => (document.activeElement as HTMLElement).blur());
    await user.keyboard('{Control>}j{/Control}');
    expect(document.activeElement).toBe(document.body);
    expect(document.querySelector('[aria-selected="true"]')).toBeNull();
  });

  it('opens beside the list on a plain press and leaves the page to a press with a modifier', async () => {
    await renderConsole(<List />, { rows: { sandboxes: rows } });
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    const link = screen.getByRole('link', { name: 'name-u2' });
    expect(fireEvent.click(link)).toBe(false);
    expect(opened).toHaveBeenCalledWith('u2');
    const cell = screen.getByRole('row', { name: /name-u1/ }).querySelector('td:last-child');
    fireEvent.click(cell ?? link, { ctrlKey: true });
    expect(open).toHaveBeenCalledWith('/sandboxes/demo/name-u1', '_blank', 'noopener');
    expect(opened).toHaveBeenCalledTimes(1);
    expect(router.push).not.toHaveBeenCalled();
  });

  it('opens the page with a modifier and enter', async () => {
    await renderConsole(<List />, { rows: { sandboxes: rows } });
    const user = userEvent.setup();
    await user.keyboard('j');
    await waitFor(() => expect(document.activeElement?.getAttribute('data-row-id')).toBe('u3'));
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(router.push).toHaveBeenCalledWith('/sandboxes/demo/name-u3');
    expect(opened).not.toHaveBeenCalled();
  });

  it('draws only the row that has changed', async () => {
    const { tab } = await renderConsole(<List />, { rows: { sandboxes: rows } });
    drawn.mockClear();
    tab.stream.send(delta(2, { sandboxes: [sandbox('u3', { restarts: 9 })] }));
    await waitFor(() => expect(drawn).toHaveBeenCalled());
    expect(new Set(drawn.mock.calls.flat())).toEqual(new Set(['u3']));
  });

  it('draws a window of many rows and tells assistive technology the whole', async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => sandbox(`m${n}`, { restarts: n }));
    await renderConsole(<List />, { rows: { sandboxes: many } });
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('10001');
    expect(screen.getAllByRole('row').length).toBeLessThan(60);
    expect(screen.getByRole('row', { name: /name-m9999/ }).getAttribute('aria-rowindex')).toBe('2');
  });

  it('can be come into by Tab wherever it was scrolled to, and moves on from there', async () => {
    const many = Array.from({ length: 2_000 }, (_, n) => sandbox(`u${n}`, { restarts: 2_000 - n }));
    await renderConsole(<List />, { rows: { sandboxes: many } });
    const grid = screen.getByRole('grid');
    const stops = () =>
      within(grid)
        .getAllByRole('row')
        .filter((row) => row.tabIndex === 0);
    await waitFor(() => expect(stops().map((row) => row.getAttribute('aria-rowindex'))).toEqual(['2']));
    const scroller = grid.parentElement as HTMLElement;
    scroller.scrollTop = 40_000;
    fireEvent.scroll(scroller);
    await waitFor(() => expect(Number(stops()[0]?.getAttribute('aria-rowindex'))).toBeGreaterThan(500));
    act(() => stops()[0]?.focus());
    // A row that has the focus keeps it while the window moves.
    const focused = document.activeElement;
    scroller.scrollTop = 39_000;
    fireEvent.scroll(scroller);
    await waitFor(() => expect(within(grid).getAllByRole('row')[1]?.getAttribute('aria-rowindex')).not.toBe(null));
    expect(document.activeElement).toBe(focused);
    await userEvent.keyboard('{End}');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('2001'));
    await userEvent.keyboard('{Home}');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('2'));
  });

  it('tells not loaded, filtered empty and forbidden apart', async () => {
    const { tab } = await renderConsole(<List />);
    expect(screen.getByRole('grid').getAttribute('aria-busy')).toBe('true');
    expect(screen.queryByText(/match/)).toBeNull();
    act(() => tab.list.answer({ code: 'forbidden', status: 403, message: 'no', requestId: 'r' }, 403));
    await screen.findByText('You cannot list sandboxes');
    cleanup();
    await renderConsole(<List filter="nothing" />, { rows: { sandboxes: rows } });
    expect(screen.getByText('0 of 3 match')).toBeTruthy();
  });

  it('hides a column on request and remembers it', async () => {
    const first = await renderConsole(<List />, { rows: { sandboxes: rows } });
    const user = userEvent.setup({ pointerEventsCheck: 0 });
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Restarts' }));
    expect(screen.queryByRole('columnheader', { name: 'Restarts', hidden: true })).toBeNull();
    first.unmount();
    await renderConsole(<List />, { rows: { sandboxes: rows } });
    expect(screen.queryByRole('columnheader', { name: 'Restarts', hidden: true })).toBeNull();
  });
});
