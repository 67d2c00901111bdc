// @vitest-environment jsdom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { delta } from '@/lib/live/testing';
import { renderConsole } from '../../testing/render-console';
import { setUpPage } from '../../testing/set-up-page';
import { NextThingText } from '../next-thing';
import { api, box, digest, openFrom, pinned, ready, receiptOf, user } from './testing';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/sandboxes' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));
setUpPage();

describe('the dialog of one sandbox', () => {
  it('says what a pause loses and whose session it is, asks first, sends what was seen, and follows it to the end', async () => {
    const server = api({
      object: {
        spec: { pauseStrategy: { type: 'Hibernate' }, volumeClaimTemplates: [{ metadata: { name: 'home' } }] },
      },
    });
    const { dialog, tab } = await openFrom([box({ strands: true })], 'Pause…');
    expect(dialog.getByText(/^Lost: memory, root file system/)).toBeTruthy();
    expect(await dialog.findByText('Its volume stays: home.')).toBeTruthy();
    expect(dialog.getByText(/^A claimed session is affected:/).textContent).toContain('ana');
    expect(dialog.getByText('It asks to keep Hibernate')).toBeTruthy();
    expect(dialog.getByText('It would not come back')).toBeTruthy();
    expect(dialog.getByText('This session was made through the E2B interface')).toBeTruthy();
    // It has no shutdownTime that could stay.
    expect(dialog.getByText('Its manager moves the deadlines when it pauses; this does not.')).toBeTruthy();
    expect(await dialog.findByText('Dry run accepted by the server')).toBeTruthy();
    expect(server.writes()).toEqual([]);
    await user.type(dialog.getByLabelText(/^Reason/), 'lunch');
    await user.click(await ready(dialog, 'Pause'));
    expect(await dialog.findByText(/^Accepted\. Waiting for the watch/)).toBeTruthy();
    expect(server.writes()).toEqual([
      {
        items: [{ ns: 'demo', name: 'name-a', uid: 'a', seen: { owner: 'ana' } }],
        change: { action: 'pauseSandbox' },
        dryRun: false,
        onFailure: 'stop',
        reason: 'lunch',
      },
    ]);
    act(() => tab.stream.send(delta(2, { sandboxes: [box({ state: 'Pausing', paused: true })] })));
    expect(dialog.getByText(/^Accepted\. Waiting for the watch/)).toBeTruthy();
    act(() => tab.stream.send(delta(3, { sandboxes: [box({ state: 'Paused', phase: 'Paused', paused: true })] })));
    expect(await dialog.findByText(/^Observed: paused, its pod is gone/)).toBeTruthy();
  });

  it('takes a pauseTime away that has passed, and names the new Pod after the resume', async () => {
    const server = api({ object: { status: { podInfo: { podUID: 'old-pod-uid' } } } });
    const paused = box({ state: 'Paused', phase: 'Paused', paused: true, pauseAt: Date.now() - 60_000 });
    const { dialog, tab } = await openFrom([paused], 'Resume…');
    expect(dialog.getByText(/^pauseTime has passed/)).toBeTruthy();
    await dialog.findByText('Dry run accepted by the server');
    await user.click(await ready(dialog, 'Resume'));
    await waitFor(() => expect(server.writes()[0]?.change).toEqual({ action: 'resumeSandbox', pauseTime: null }));
    server.pod = { metadata: { uid: 'new-pod-uid', name: 'name-a' } };
    act(() => tab.stream.send(delta(2, { sandboxes: [box({ gen: 2 })] })));
    expect((await dialog.findByText(/^Observed: running, new pod/)).textContent).toMatch(
      /new pod new.* in place of old/,
    );
  });

  it('warns before a resume that may strand it, and changes the image first', async () => {
    const template = {
      spec: { initContainers: [{ name: 'runtime', image: pinned }], containers: [{ name: 'main', image: 'code:v1' }] },
    };
    api({ object: { spec: { paused: true, template } } });
    const paused = box({ state: 'Paused', phase: 'Paused', paused: true, pinned: true });
    const { dialog } = await openFrom([paused], 'Resume…');
    expect(dialog.getByText('It may not come back')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Change images first…' }));
    const images = within(await screen.findByRole('dialog', { name: /images/i }));
    expect(((await images.findByLabelText('Init container runtime')) as HTMLInputElement).value).toBe(
      'registry.local/runtime:',
    );
  });

  it('says that a new Pod cannot help, and offers the tag that does; a refusal keeps what was typed', async () => {
    const template = {
      spec: { initContainers: [{ name: 'runtime', image: pinned }], containers: [{ name: 'main', image: 'code:v1' }] },
    };
    const pod = {
      metadata: { uid: 'p', name: 'name-a' },
      spec: { initContainers: [{ name: 'runtime', image: pinned }] },
      status: { initContainerStatuses: [{ name: 'runtime', image: digest }] },
    };
    const server = api({ object: { spec: { template } }, pod });
    const stuck = box({ state: 'Resuming', phase: 'Resuming', cause: { code: 'InitImageMismatch', never: true } });
    const first = await openFrom([stuck], 'Delete pod…');
    expect(await first.dialog.findByText('Deleting the pod cannot help here')).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Actions for name-a'));
    await user.click(screen.getByRole('button', { name: 'Change images…' }));
    const dialog = within(await screen.findByRole('dialog'));
    const image = await dialog.findByLabelText('Init container runtime');
    expect((image as HTMLInputElement).value).toBe('registry.local/runtime:');
    expect(dialog.getByText('No tag follows the colon.')).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Change images' }).getAttribute('aria-disabled')).toBe('true');
    await user.type(image, 'v1');
    await dialog.findByText('Dry run accepted by the server');
    server.outcome = (item, { change, dryRun }) => ({
      result: dryRun ? 'accepted' : 'refused',
      receipt: receiptOf(item, change),
      ...(dryRun
        ? {}
        : { problem: { code: 'validation', status: 422, message: 'the webhook says no', applied: 'no' } }),
    });
    await user.click(await ready(dialog, 'Change images'));
    expect(await dialog.findByText('the webhook says no')).toBeTruthy();
    expect(dialog.getByText('The template was changed; the pod was not deleted.')).toBeTruthy();
    expect(server.writes()[0]?.change).toEqual({
      action: 'changeImages',
      images: [{ container: 'runtime', init: true, from: pinned, to: 'registry.local/runtime:v1' }],
      thenDeletePod: true,
    });
  });

  it('follows a suggestion that was taken as it is', async () => {
    const initContainers = (image: string) => [{ name: 'runtime', image }];
    const template = (image: string) => ({ spec: { initContainers: initContainers(image), containers: [] } });
    const server = api({ object: { spec: { template: template(`registry.local/runtime:v1@${digest}`) } } });
    const stuck = box({ state: 'Resuming', phase: 'Resuming', cause: { code: 'InitImageMismatch', never: true } });
    const first = await openFrom([stuck], 'Change images…');
    await first.dialog.findByText('Dry run accepted by the server');
    server.object = { spec: { template: template('registry.local/runtime:v1') } };
    server.pod = { metadata: { uid: 'new-pod-uid', name: 'name-a' } };
    await user.click(await ready(first.dialog, 'Change images'));
    expect(await first.dialog.findByText(/^Accepted\. Waiting for the watch/)).toBeTruthy();
    act(() => first.tab.stream.send(delta(2, { sandboxes: [box({ gen: 3 })] })));
    expect(await first.dialog.findByText(/^Observed: new pod new/)).toBeTruthy();
    expect(server.writes()[0]?.change).toMatchObject({ images: [{ to: 'registry.local/runtime:v1' }] });
  });

  it('takes off the one finalizer there is, and asks which where there are several', async () => {
    const held = box({ state: 'Terminating', deleting: 1 });
    const server = api({ object: { metadata: { uid: 'a', name: 'name-a', finalizers: ['example.com/hold'] } } });
    const { dialog } = await openFrom([held], 'Remove finalizer…');
    await dialog.findByText('Dry run accepted by the server');
    expect(server.sent.at(-1)?.change).toEqual({ action: 'removeFinalizer', finalizer: 'example.com/hold' });
    await user.keyboard('{Escape}');
    server.object = { metadata: { uid: 'a', name: 'name-a', finalizers: ['example.com/hold', 'b/c'] } };
    server.sent.length = 0;
    cleanup();
    const second = await openFrom([held], 'Remove finalizer…');
    expect(await second.dialog.findByRole('option', { name: 'b/c' })).toBeTruthy();
    expect(second.dialog.getByRole('button', { name: 'Remove finalizer' }).getAttribute('aria-disabled')).toBe('true');
    await user.selectOptions(second.dialog.getByLabelText('Finalizer'), 'b/c');
    await second.dialog.findByText('Dry run accepted by the server');
    expect(server.sent.at(-1)?.change).toEqual({ action: 'removeFinalizer', finalizer: 'b/c' });
  });

  it('extends a deadline from its countdown, and continues from a deadline that moved meanwhile', async () => {
    const server = api();
    const at = Date.now() + 10 * 60_000;
    const row = box({ shutdownAt: at });
    server.outcome = (item, { change }) =>
      item.seen?.shutdownAt === at
        ? {
            result: 'refused',
            problem: {
              code: 'conflict',
              status: 409,
              message: 'moved',
              reason: 'sandboxMoved',
              values: {
                sandbox: 'name-a',
                field: 'spec.shutdownTime',
                now: 'later',
                seen: 'sooner',
                manager: 'none',
                at: 'none',
              },
            },
          }
        : { result: 'accepted', receipt: receiptOf(item, change) };
    const { tab } = await renderConsole(<NextThingText row={row} />, { rows: { sandboxes: [row] } });
    await user.click(screen.getByRole('button', { name: /^shuts down in/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Deadline of name-a' }));
    await user.selectOptions(dialog.getByLabelText('By'), '900');
    expect(
      await dialog.findByText('spec.shutdownTime of sandbox name-a is later now, not sooner: changed'),
    ).toBeTruthy();
    act(() => tab.stream.send(delta(2, { sandboxes: [box({ shutdownAt: at + 60_000 })] })));
    await waitFor(async () => {
      await user.click(dialog.getByRole('button', { name: 'Continue from what is there now' }));
      expect(dialog.queryByText(/is later now, not sooner/)).toBeNull();
    });
    expect(await dialog.findByText('Dry run accepted by the server')).toBeTruthy();
    expect((dialog.getByLabelText('By') as HTMLSelectElement).value).toBe('900');
    await user.click(await ready(dialog, 'Set deadline'));
    await waitFor(() => expect(server.writes()).toHaveLength(1));
    expect(server.writes()[0]).toMatchObject({
      items: [{ seen: { shutdownAt: at + 60_000 } }],
      change: { action: 'setDeadline', field: 'shutdownTime', addSeconds: 900 },
    });
  });

  it('wants the name typed where a session ends, and says what it may not or cannot do', async () => {
    const server = api({ denied: 'deletePod' });
    const { dialog } = await openFrom([box()], 'Delete…');
    await dialog.findByText('Dry run accepted by the server');
    const submit = dialog.getByRole('button', { name: 'Delete' });
    expect(submit.getAttribute('aria-disabled')).toBe('true');
    await user.type(dialog.getByLabelText(/^A session ends/), 'name-a{Enter}');
    await waitFor(() => expect(server.writes()).toHaveLength(1));
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Actions for name-a' }));
    expect(await screen.findByText(/without its pod it is Failed for good/)).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Delete pod…' })).toBeNull();
  });

  it('keeps the form when the server refuses, and sends it again', async () => {
    const server = api();
    const { dialog } = await openFrom([box()], 'Pause…');
    await dialog.findByText('Dry run accepted by the server');
    await user.type(dialog.getByLabelText(/^Reason/), 'lunch');
    const accepts = server.outcome;
    server.outcome = () => ({
      result: 'refused',
      problem: { code: 'conflict', status: 409, message: 'it moved on', applied: 'no' },
    });
    await user.click(await ready(dialog, 'Pause'));
    expect((await dialog.findByRole('alert')).textContent).toContain('it moved on');
    expect((dialog.getByLabelText(/^Reason/) as HTMLInputElement).value).toBe('lunch');
    server.outcome = accepts;
    await user.click(await ready(dialog, 'Pause'));
    expect(await dialog.findByText(/^Accepted\. Waiting for the watch/)).toBeTruthy();
    expect(server.writes()).toHaveLength(2);
  });

  it('keeps the form and sends nothing when the sandbox is gone', async () => {
    const server = api();
    const { dialog, tab } = await openFrom([box()], 'Pause…');
    await dialog.findByText('Dry run accepted by the server');
    await user.type(dialog.getByLabelText(/^Reason/), 'lunch');
    act(() => tab.stream.send(delta(2, {}, { sandboxes: ['a'] })));
    expect(await dialog.findByText(/^Gone at/)).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Pause' }).getAttribute('aria-disabled')).toBe('true');
    expect((dialog.getByLabelText(/^Reason/) as HTMLInputElement).value).toBe('lunch');
    expect(server.writes()).toEqual([]);
  });
});
