import { describe, expect, it } from 'vitest';
import { comparable, differences } from './comparable';

const run = { namespace: 'conf-1' };

describe('an answer made comparable', () => {
  it('has nothing that is of one run alone', () => {
    const uid = '0a04cedf-95dd-4146-bb70-ebe56e001209';
    const metadata = { name: 'box-x7k2b', generateName: 'box-', namespace: 'conf-1', uid, resourceVersion: '42' };
    expect(comparable({ metadata }, run)).toEqual({
      metadata: { name: 'box-#####', generateName: 'box-', namespace: 'NS', uid: 'UID', resourceVersion: 'VERSION' },
    });
  });

  it('has the causes of a refusal in one order', () => {
    const cause = (field: string) => ({ reason: 'FieldValueRequired', message: 'Required value', field });
    const refusal = (...fields: string[]) => ({
      kind: 'Status',
      message: `X "y" is invalid: [${fields.map((field) => `${field}: Required value`).join(', ')}]`,
      details: { causes: fields.map(cause) },
    });
    expect(comparable(refusal('b', 'a'), run)).toEqual(comparable(refusal('a', 'b'), run));
  });
});

it('names where two answers differ, and how', () => {
  expect(differences({ a: [1, { b: 2 }], c: 1 }, { a: [1, { b: 3 }] })).toEqual([
    'a[1].b: expected 2, got 3',
    'c: expected 1, got nothing',
  ]);
});
