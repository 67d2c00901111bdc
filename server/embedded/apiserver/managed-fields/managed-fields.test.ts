import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Fields, fieldsOf, listOf } from '../objects';
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
