import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';
import type { PoolRow } from '@/lib/contracts/rows';
import type { AppLocale } from '@/lib/i18n';
import { TemplateDrawer } from '../template-drawer';
import { fakeApi, poolRow, receiptOf, renderInConsole } from './testing';

export const template = (image = 'code:v1') => ({
  spec: {
    containers: [
      {
        name: 'sandbox',
        image,
        env: [
          { name: 'MODE', value: 'dev' },
          { name: 'API_TOKEN', value: '•••' },
        ],
        resources: { requests: { cpu: '100m' } },
      },
    ],
  },
});
export const reply = (spec: object) => ({
  time: 1,
  object: { metadata: { name: 'web', uid: 'u-1' }, spec },
  events: [],
});

/** A pool of its own for each test: unsent edits are kept by uid. */
let serial = 0;
export function open(spec: object = { template: template() }, locale: AppLocale = 'en', retag = false) {
  const uid = `u-${++serial}`;
  const reads = { '/objects/sandboxsets/': reply(spec) };
  const api = fakeApi(reads);
  api.onPost = ({ body }) => {
    const { template: after } = body.change as { template: object };
    return { body: receiptOf(body, { action: 'patchPoolTemplate', before: body.before, after, generation: 2 }) };
  };
  const drawer = (over: Partial<PoolRow> = {}, goneAt?: number) => (
    <TemplateDrawer pool={poolRow({ uid, ...over })} goneAt={goneAt} onClose={() => undefined} retag={retag} />
  );
  const { rerender } = renderInConsole(drawer(), locale);
  return {
    api,
    uid,
    user: userEvent.setup({ delay: null }),
    rerender: (over: Partial<PoolRow>, goneAt?: number) => rerender(drawer(over, goneAt)),
    reads,
  };
}

export const image = () => screen.findByLabelText('Image');
export const set = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
export const mode = () => screen.findByLabelText('Value of MODE');
export const apply = () => screen.getByRole('button', { name: /Apply template|Refresh/ });
export const enabled = () => waitFor(() => expect(apply().getAttribute('aria-disabled')).toBeNull());
