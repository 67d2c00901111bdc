import { expect, it } from 'vitest';
import { setMarkRequest } from './triage';

it('takes a note that every database can store', () => {
  const request = (note: string) => ({ scope: { ns: 'lab' }, version: 0, kind: 'ack', note });
  expect(setMarkRequest.safeParse(request('draining\nworker-12 ✓')).success).toBe(true);
  expect(setMarkRequest.safeParse(request('a\0b')).success).toBe(false);
});
