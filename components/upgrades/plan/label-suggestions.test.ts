import { expect, it } from 'vitest';
import { sandbox } from '@/lib/domain/rows.testing';
import { labelSuggestions } from './label-suggestions';
import { poolChoices } from './pool-choices';

it('suggests labels of the namespace’s rows, the most frequent value first, and those of templates after them', () => {
  const rows = [
    sandbox({ pool: 'web', claimed: true, claimName: 'c-1' }),
    sandbox({ pool: 'web', idle: true }),
    sandbox({ pool: 'api', claimed: true, upFailed: true }),
    sandbox({ pool: 'elsewhere', ns: 'other' }),
  ];
  const found = labelSuggestions(rows, 'agents', [
    ['team', 'core'],
    ['team', 'core'],
  ]);
  expect(Object.fromEntries(found)).toEqual({
    'agents.kruise.io/sandbox-pool': ['web', 'api'],
    'agents.kruise.io/sandbox-claimed': ['true', 'false'],
    'agents.kruise.io/claim-name': ['c-1'],
    'agents.kruise.io/upgrade-failed': ['true'],
    team: ['core'],
  });
});

it('offers pools with most claimed sandboxes first, also one that is gone', () => {
  const pools = [
    { ns: 'agents', name: 'idle' },
    { ns: 'agents', name: 'web' },
    { ns: 'other', name: 'elsewhere' },
  ];
  const sandboxes = [sandbox({ pool: 'web' }), sandbox({ pool: 'idle', idle: true }), sandbox({ pool: 'gone' })];
  expect(poolChoices('agents', 'chosen', pools, [...sandboxes, sandbox({ pool: 'web' })])).toEqual([
    { name: 'web', claimed: 2 },
    { name: 'gone', claimed: 1 },
    { name: 'chosen', claimed: 0 },
    { name: 'idle', claimed: 0 },
  ]);
});
