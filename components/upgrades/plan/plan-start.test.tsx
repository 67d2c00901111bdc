// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setUpPage } from '../../testing/set-up-page';
import {
  enabled,
  fakeApi,
  openReview,
  previewOf,
  receiptOf,
  set,
  startButton as start,
  step,
  target,
  template,
} from './testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/upgrades/new' }));
vi.mock('../../shell/scope', () => ({ useScope: () => ({ namespaces: [] }) }));
vi.setConfig({ testTimeout: 60_000 });

setUpPage();
beforeEach(() => sessionStorage.clear());

describe('the start of an upgrade', () => {
  it('asks before it interrupts running sandboxes that nobody claimed, without a number for a few', async () => {
    const api = fakeApi();
    const targets = ['a', 'b', 'c'].map((name) => target(name, { claimed: false, owner: undefined }));
    api.onPreview = () => ({ body: previewOf({ targets }) });
    const { user } = await openReview();
    await enabled();
    await user.click(start());
    const dialog = await screen.findByRole('dialog', { name: 'Upgrade 3 sandboxes' });
    expect(
      within(dialog).getByText('3 running sandboxes that no claim holds are interrupted, 1 at a time'),
    ).toBeTruthy();
    expect(within(dialog).getByText(/^What matches the selector later/)).toBeTruthy();
    expect(within(dialog).queryByLabelText(/Type/)).toBeNull();
    expect(api.writes()).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Upgrade 3 sandboxes' }));
    await screen.findByText('Upgrade next created');
  });

  it('asks no new dry run for a reason, and keeps the button with its focus while another is under way', async () => {
    const api = fakeApi();
    const { user } = await openReview();
    await enabled();
    const button = start();
    const dryRuns = () => api.sent.filter(({ path, body }) => path === '/api/v1/upgrades' && body.dryRun === true);
    expect(dryRuns()).toHaveLength(1);
    await user.type(screen.getByLabelText('Reason'), 'OPS-7');
    button.focus();
    expect(button.getAttribute('aria-disabled')).toBeNull();
    set(screen.getByLabelText('Name'), 'other');
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
    expect(document.activeElement).toBe(button);
    await waitFor(() => expect(dryRuns()).toHaveLength(2));
    await enabled();
    expect(start()).toBe(button);
    await user.keyboard('{Enter}');
    await user.type(await screen.findByLabelText('Type 2 to confirm'), '2{Enter}');
    await waitFor(() => expect(api.writes()).toHaveLength(1));
    expect(api.writes()[0]?.body).toMatchObject({ reason: 'OPS-7' });
  });

  it('says early what the person may not do, and what a guard needs besides', async () => {
    const api = fakeApi();
    api.denied = ['createUpgrade', 'steerUpgrade'];
    const { user } = await openReview();
    expect(await screen.findByText('You may not start this upgrade')).toBeTruthy();
    expect(screen.getByText('Creating it needs create on sandboxupdateops in lab.')).toBeTruthy();
    expect(step('Review').textContent).toContain('(cannot be started)');
    await user.click(step('Safety'));
    expect(screen.getByText('Not for you: it needs patch on sandboxupdateops in lab.')).toBeTruthy();
    expect(step('Safety').textContent).toContain('(complete)');
    set(screen.getByLabelText('After failures'), '1');
    expect(screen.getByText(/^The console cannot pause it as you/)).toBeTruthy();
    expect(step('Safety').textContent).toContain('(cannot be started)');
  });

  it('starts no guard that the person may not have', async () => {
    const api = fakeApi();
    api.denied = ['steerUpgrade'];
    const { user } = await openReview({ guard: { failures: 1 } });
    expect(await screen.findByText(/^Pausing it by itself needs patch/)).toBeTruthy();
    await waitFor(() => expect(start().getAttribute('aria-disabled')).toBe('true'));
    await user.click(start());
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('shows no accepted dry run beside a write that was refused', async () => {
    const api = fakeApi();
    const problem = { code: 'forbidden', status: 403, message: 'not you', applied: 'no', requestId: 'r' };
    api.onCreate = (body) => (body.dryRun ? { body: receiptOf(body) } : { status: 403, body: problem });
    const { user } = await openReview();
    await enabled();
    expect(screen.getByText(/^It was of the operation alone/)).toBeTruthy();
    await user.click(start());
    await user.type(await screen.findByLabelText('Type 2 to confirm'), '2{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('not you');
    expect(screen.queryByText(/Dry run accepted/)).toBeNull();
  });

  it('gives the line that marks chosen sandboxes along with the manifest', async () => {
    fakeApi();
    await openReview({ targets: { by: 'selection', sandboxes: [{ uid: 'u-web-a', name: 'web-a' }] } });
    const line = await screen.findByText(/label --overwrite sbx web-a console\.agents\.kruise\.io\/upgrade=next/);
    expect(line.closest('section')?.textContent).toContain('kubectl apply -f next.yaml');
  });

  it('counts no change that is none', async () => {
    const api = fakeApi();
    const group = { key: 'g', count: 1, sample: 'web-a', before: template(), after: template('code:v2') };
    const same = { key: 'h', count: 3, sample: 'web-b', before: template('x'), after: template('x') };
    api.onPreview = () => ({ body: previewOf({ groups: [same, group] }) });
    await openReview();
    expect((await screen.findByRole('region', { name: 'Change of web-a' })).textContent).toContain('code:v2');
    expect(screen.queryByText(/shown under Change/)).toBeNull();
  });
});
