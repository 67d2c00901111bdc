import { describe, expect, it } from 'vitest';
import { writerOf } from './writer';

const replicas = { 'f:spec': { 'f:replicas': {} } };

describe('writerOf', () => {
  it('names the last manager that owns the field', () => {
    const fields = [
      { manager: 'kubectl-create', time: '2026-11-30T09:00:00Z', fieldsV1: { 'f:spec': { 'f:template': {} } } },
      { manager: 'kubectl', time: '2026-11-30T10:00:00Z', subresource: 'scale', fieldsV1: replicas },
      { manager: 'autoscaler', time: '2026-11-30T09:30:00Z', subresource: 'scale', fieldsV1: replicas },
    ];
    expect(writerOf(fields, ['spec', 'replicas'])).toEqual({ manager: 'kubectl', at: '2026-11-30T10:00:00Z' });
  });

  it('says nothing where the object does not', () => {
    const unknown = { manager: 'none', at: 'none' };
    expect(writerOf(undefined, ['spec', 'replicas'])).toEqual(unknown);
    expect(writerOf([{ manager: 'x', fieldsV1: { 'f:status': {} } }, 'odd'], ['spec', 'replicas'])).toEqual(unknown);
  });
});
