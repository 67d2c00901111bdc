import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Fields, fieldsOf, listOf } from '../core/objects';
import { type ApiServer, startApiServer } from '../server';
import { AGENTS, sandbox, send } from '../testing';

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

const APPLY = { 'Content-Type': 'application/apply-patch+yaml' };
const url = () => `${server.url}${AGENTS}/sandboxes/a`;

const apply = (manager: string, spec: object, more = '') =>
  send(
    `${url()}?fieldManager=${manager}${more}`,
    'PATCH',
    { ...sandbox('a', {}, spec), metadata: { name: 'a' } },
    APPLY,
  );

/** `one Apply`: who owns something, and how it came to that. */
const owners = (body: Fields) =>
  listOf(body, 'metadata', 'managedFields').map((entry) => {
    const { manager, operation } = fieldsOf({ entry }, 'entry');
    return `${manager} ${operation}`;
  });

describe('server-side apply', () => {
  it('creates with 201, answers 200 afterwards, and writes nothing that is there already', async () => {
    const made = await apply('one', { paused: true });
    const again = await apply('one', { paused: true });
    expect([made.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(made.body);
    expect(owners(made.body)).toEqual(['one Apply']);
  });

  it('refuses a field of another manager, takes it by force, and lets go of what is no longer said', async () => {
    await apply('one', { paused: true });
    const refused = await apply('two', { paused: false });
    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe('Apply failed with 1 conflict: conflict with "one": .spec.paused');
    expect(fieldsOf((await apply('two', { paused: false }, '&force=true')).body, 'spec')).toEqual({ paused: false });
    const { body } = await apply('two', {});
    expect(fieldsOf(body, 'spec')).toEqual({});
  });

  it('keeps who owns what across other writes', async () => {
    await apply('one', { paused: true });
    const { body } = await send(`${url()}?fieldManager=editor`, 'PATCH', { spec: { paused: false } });
    expect(owners(body)).toEqual(['editor Update']);
    expect((await apply('one', { paused: true })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "editor" using agents.kruise.io/v1alpha1: .spec.paused',
    );
  });
});

it('dates an entry by the last change of a value in it, as the console reads when a status was written', async () => {
  const clock = vi.spyOn(Date, 'now');
  const times = (body: Fields) =>
    listOf(body, 'metadata', 'managedFields').map((entry) => fieldsOf({ entry }, 'entry').time);
  clock.mockReturnValue(Date.parse('2026-11-30T08:00:00Z'));
  await apply('one', { paused: true });
  const edit = (paused: boolean) => send(`${url()}?fieldManager=editor`, 'PATCH', { spec: { paused } });
  clock.mockReturnValue(Date.parse('2026-11-30T08:00:10Z'));
  await edit(false);
  clock.mockReturnValue(Date.parse('2026-11-30T08:00:20Z'));
  expect(times((await edit(true)).body)).toEqual(['2026-11-30T08:00:20Z']);
  clock.mockReturnValue(Date.parse('2026-11-30T08:00:30Z'));
  expect(times((await edit(true)).body)).toEqual(['2026-11-30T08:00:20Z']);
  clock.mockRestore();
});

describe('owners that a write names', () => {
  const entry = (manager: string, fieldsV1: object, more: object = {}) => ({
    manager,
    operation: 'Update',
    apiVersion: 'agents.kruise.io/v1alpha1',
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...more,
  });
  const name = (managedFields: unknown, through = '') =>
    send(`${url()}${through}?fieldManager=editor`, 'PATCH', { metadata: { managedFields } });
  const PAUSED = { 'f:spec': { 'f:paused': {} } };

  it('take the place of those that are stored, as when kubectl goes over to server-side apply', async () => {
    await send(`${server.url}${AGENTS}/sandboxes?fieldManager=old`, 'POST', sandbox('a', {}, { paused: true }));
    await apply('new', { paused: true });
    const { body } = await name([entry('new', PAUSED, { operation: 'Apply' })]);
    expect(owners(body)).toEqual(['new Apply']);
    const refused = await apply('two', { paused: false });
    expect(refused.body.message).toBe('Apply failed with 1 conflict: conflict with "new": .spec.paused');
  });

  it('are not listened to where they make no sense, or come by way of a subresource', async () => {
    const made = await apply('one', { paused: true });
    for (const wrong of [
      [],
      [entry('x', PAUSED, { operation: 'Other' })],
      [entry('x', PAUSED, { apiVersion: '' })],
      [entry('x', PAUSED, { fieldsType: 'FieldsV9' })],
      [entry('x', { spec: {} })],
    ]) {
      expect((await name(wrong)).body).toEqual(made.body);
    }
    expect((await name([entry('x', PAUSED)], '/status')).body).toEqual(made.body);
  });

  it('are refused where they cannot be read', async () => {
    await apply('one', { paused: true });
    expect((await name('x')).body.message).toContain('ObjectMeta.managedFields of type []v1.ManagedFieldsEntry');
    expect((await name([{ manager: 1 }])).body.message).toContain(
      'ManagedFieldsEntry.managedFields.manager of type string',
    );
  });

  it('can be forgotten; nobody counts from then on until somebody applies', async () => {
    await apply('one', { paused: true });
    expect(owners((await name([{}])).body)).toEqual([]);
    const edited = await send(`${url()}?fieldManager=editor`, 'PATCH', { spec: { paused: false } });
    expect(owners(edited.body)).toEqual([]);
    expect(owners((await apply('one', { paused: false })).body)).toEqual(['one Apply', 'before-first-apply Update']);
  });
});

it('dates no entry of an apply that changes no value', async () => {
  await apply('one', { paused: true });
  const { body } = await apply('two', { paused: true });
  const dated = listOf(body, 'metadata', 'managedFields').map((entry) => {
    const { manager, time } = fieldsOf({ entry }, 'entry');
    return `${manager} ${typeof time}`;
  });
  expect(dated).toEqual(['two undefined', 'one string']);
});
