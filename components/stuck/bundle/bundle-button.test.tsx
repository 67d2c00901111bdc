// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { incidentBundle } from '@/lib/contracts/incident-bundle';
import type { SandboxRow } from '@/lib/contracts/rows';
import { sandbox } from '@/lib/live/testing';
import { giveElementsSize, renderConsole } from '../../testing/render-console';
import { BundleButton } from './bundle-button';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/stuck' }));

const files: { name: string; text: string }[] = [];
vi.mock('../../sandboxes/download', () => ({
  downloadText: (name: string, _type: string, text: string) => void files.push({ name, text }),
}));

let asked: string[];
const rows: SandboxRow[] = Array.from({ length: 25 }, (_, i) =>
  sandbox(`u${i}`, {
    name: `box-${i}`,
    state: 'Resuming',
    phase: 'Resuming',
    since: Date.now() - 600_000 - i * 1_000,
    sinceFrom: 'condition',
    pool: 'web',
  }),
);
const incident = { scope: { ns: 'demo', pool: 'web', state: 'Resuming' }, rows, href: '/stuck?cohort=c' };

beforeAll(() => giveElementsSize());
beforeEach(() => {
  asked = [];
  files.length = 0;
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const name = url.split('/').at(-1) ?? '';
    if (name === 'box-24')
      return Response.json({ code: 'forbidden', status: 403, message: 'may not get', requestId: 'r' }, { status: 403 });
    const env = [{ name: 'KEY', value: 'hunter2-hunter2' }];
    const object = {
      metadata: { name, namespace: 'demo', uid: name.replace('box-', 'u') },
      spec: { template: { spec: { containers: [{ name: 'main', image: 'a', env }] } } },
    };
    return Response.json({ time: Date.now(), object, events: [] });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('the incident bundle', () => {
  it('is copied with one press: the worst twenty in detail, all counted, what was not readable said', async () => {
    const user = userEvent.setup();
    await renderConsole(<BundleButton incident={incident} />, { rows: { sandboxes: rows } });
    await user.click(screen.getByRole('button', { name: 'Incident bundle' }));
    expect(await screen.findByText('Incident bundle copied: 25 sandboxes, 19 in detail')).toBeTruthy();
    const text = await navigator.clipboard.readText();
    expect(text).toContain('# 25 × Resuming');
    expect(text).toContain(`<${window.location.origin}/stuck?cohort=c>`);
    expect(text).toContain('- Sandbox box-24: may not get');
    expect(text).toContain('| Sandbox Ready |');
    expect(text).not.toContain('Pod ready');
    expect(text).not.toContain('hunter2');
    // The longest first.
    expect(asked).toHaveLength(20);
    expect(asked).toContain('/api/v1/objects/sandboxes/demo/box-24');
    expect(asked).not.toContain('/api/v1/objects/sandboxes/demo/box-0');
  });

  it('is saved as a file, and says so when it cannot be copied', async () => {
    const user = userEvent.setup();
    await renderConsole(<BundleButton incident={incident} />, { rows: { sandboxes: rows } });
    await user.click(screen.getByRole('button', { name: 'More of the incident bundle' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Download .json' }));
    await waitFor(() => expect(files).toHaveLength(1));
    expect(files[0]?.name).toMatch(/^incident-demo-\d{4}-\d{2}-\d{2}T\d{6}Z\.json$/);
    const bundle = incidentBundle.parse(JSON.parse(files[0]?.text ?? ''));
    expect(bundle.cohort.count).toBe(25);
    expect(files[0]?.text).not.toContain('hunter2');
    await user.click(screen.getByRole('button', { name: 'More of the incident bundle' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Download .md' }));
    await waitFor(() => expect(files[1]?.text).toContain('# 25 × Resuming'));
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    document.execCommand = () => false;
    await user.click(screen.getByRole('button', { name: 'Incident bundle' }));
    expect(await screen.findByText('The browser does not let this page copy. Download the file instead.')).toBeTruthy();
  });
});
