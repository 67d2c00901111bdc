import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, vi } from 'vitest';
import { guardedAction } from '@/lib/contracts/access';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxActionRequest, SandboxOutcome, SandboxTarget } from '@/lib/contracts/sandbox-writes';
import type { Receipt } from '@/lib/contracts/writes';
import type { AppLocale } from '@/lib/i18n';
import { sandbox } from '@/lib/live/testing';
import { renderConsole } from '../../testing/render-console';
import { SandboxActions, SelectionActions } from './sandbox-actions';

vi.setConfig({ testTimeout: 60_000 });

export const digest = `sha256:${'ab'.repeat(32)}`;
export const pinned = `registry.local/runtime@${digest}`;

export const receiptOf = (
  item: SandboxTarget,
  change: SandboxActionRequest['change'],
  over: Partial<Receipt> = {},
): Receipt => ({
  id: `r-${item.name}`,
  at: 1,
  actor: 'mara',
  dryRun: false,
  action: change.action,
  object: { kind: 'Sandbox', namespace: item.ns, name: item.name, uid: item.uid },
  changed: true,
  before: null,
  after: null,
  kubectl: `kubectl -n ${item.ns} exact ${item.name}`,
  warnings: [],
  ...over,
});

type Told = Omit<SandboxOutcome, 'ns' | 'name' | 'uid'>;

/** The console's API: rights as given, one object, and an outcome a sandbox. */
export function api(options: { denied?: string; object?: object; pod?: object } = {}) {
  const sent: SandboxActionRequest[] = [];
  const server = {
    sent,
    writes: () => sent.filter(({ dryRun }) => !dryRun),
    outcome: ((item, { change }) => ({ result: 'accepted', receipt: receiptOf(item, change) })) as (
      item: SandboxTarget,
      request: SandboxActionRequest,
    ) => Told,
    answer: undefined as
      | ((request: SandboxActionRequest) => Response | undefined | Promise<Response | undefined>)
      | undefined,
    /** Uids of Pods, by uid of the sandbox. */
    pods: {} as Record<string, string>,
    pod: options.pod,
    object: options.object,
  };
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (init?.method === 'POST') {
      const request: SandboxActionRequest = JSON.parse(String(init.body));
      sent.push(request);
      const own = await server.answer?.(request);
      if (own) return own;
      const items = request.items.map((item) => ({
        ns: item.ns,
        name: item.name,
        uid: item.uid,
        ...server.outcome(item, request),
      }));
      return Response.json({ time: 1, items });
    }
    if (path.startsWith('/api/v1/access')) {
      const right = (action: string) =>
        action === options.denied
          ? { state: 'denied', verb: 'delete', group: '', resource: 'pods' }
          : { state: 'allowed', verb: 'patch', group: 'agents.kruise.io', resource: 'sandboxes' };
      const actions = Object.fromEntries(guardedAction.options.map((action) => [action, right(action)]));
      return Response.json({
        time: 1,
        person: { subject: 'mara', groups: [], impersonated: false },
        namespace: 'demo',
        actions,
      });
    }
    if (path.startsWith('/api/v1/sandboxes/pods')) return Response.json({ pods: server.pods });
    const reply: ObjectReply = {
      time: 1,
      object: { metadata: { uid: 'a', name: 'name-a' }, spec: {}, ...server.object },
      events: [],
      ...(server.pod ? { pod: server.pod as NonNullable<ObjectReply['pod']> } : {}),
    };
    return Response.json(reply);
  });
  return server;
}

export const box = (over: Partial<SandboxRow> = {}) =>
  sandbox('a', { claimed: true, owner: 'ana', ready: true, ...over }) as SandboxRow;
export const user = userEvent.setup({ delay: null });

/** Opens an action as a person does: from the head of a page, or from the bar over a selection. */
export async function openFrom(rows: SandboxRow[], name: string, locale: AppLocale = 'en') {
  const ui =
    rows.length === 1 && rows[0] ? (
      <SandboxActions row={rows[0]} object={undefined} />
    ) : (
      <SelectionActions rows={rows} />
    );
  const view = await renderConsole(ui, { rows: { sandboxes: rows }, locale });
  const direct = screen.queryByRole('button', { name });
  if (direct) {
    await waitFor(() => expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBeNull());
    await user.click(screen.getByRole('button', { name }));
  } else {
    await user.click(screen.getAllByRole('button').at(-1) as HTMLElement);
    await user.click(await screen.findByRole('menuitem', { name }));
  }
  return { ...view, dialog: within(await screen.findByRole('dialog')) };
}
/** A button of the form that may be pressed. */
export const ready = async (dialog: ReturnType<typeof within>, name: string) => {
  await waitFor(() => expect(dialog.getByRole('button', { name }).getAttribute('aria-disabled')).toBeNull());
  return dialog.getByRole('button', { name });
};
