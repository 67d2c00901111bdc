import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimRow, poolRow, sandboxRow, upgradeRow } from '@/lib/contracts/rows';
import { standardLimits } from '@/lib/domain/limits';
import { attention } from '@/lib/domain/rows.testing';
import { filterSandboxes } from '@/lib/domain/sandbox-filter';
import { digestPod, projectClaim, projectNamespace, projectNode, projectPool, projectSandbox, projectUpgrade } from '.';
import { fixture, sandboxesOf, upgradesOf } from './fixtures.testing';

const now = Date.parse('2026-11-03T08:00:00Z');

describe('bare objects', () => {
  const objects = fixture('bare-and-missing-fields');

  it('all give rows that the contract accepts', () => {
    const rows = sandboxesOf(objects).map((row) => sandboxRow.parse(row));
    expect(rows.map(({ state, since, sinceFrom, uid }) => ({ state, since, sinceFrom, uid }))).toEqual(
      ['bare-1', 'bare-2', 'bare-3'].map((name) => ({
        state: 'Creating',
        since: undefined,
        sinceFrom: 'unknown',
        uid: `kelp-lab/${name}`,
      })),
    );
    const ofKind = (wanted: string) => objects.find(({ kind }) => kind === wanted);
    expect(poolRow.parse(projectPool(ofKind('SandboxSet')))).toMatchObject({
      desired: 3,
      templateRef: 'tmpl-gone',
      images: [],
    });
    expect(upgradeRow.parse(projectUpgrade(ofKind('SandboxUpdateOps')))).toMatchObject({
      phase: '',
      selector: '',
      hasPatch: false,
      taken: false,
      strategy: 'Recreate',
    });
    expect(claimRow.parse(projectClaim(ofKind('SandboxClaim')))).toMatchObject({
      pool: 'bare-pool',
      phase: '',
      desired: 1,
    });
  });

  it('can be filtered', () => {
    const rows = sandboxesOf(objects);
    expect(
      filterSandboxes(rows, { text: 'bare-2' }, { pools: new Map(), now, limits: standardLimits }).rows,
    ).toHaveLength(1);
    expect(attention({ sandboxes: rows, pools: [], upgrades: upgradesOf(objects) }, now)).toEqual([]);
  });

  it.each([undefined, null, 'text', 7, [], {}, { metadata: null }, { metadata: { name: 3 } }])(
    '%j is no object',
    (value) => {
      for (const project of [projectPool, projectUpgrade, projectClaim, projectNode, projectNamespace, digestPod]) {
        expect(project(value)).toBeUndefined();
      }
      expect(projectSandbox(value, undefined)).toBeUndefined();
    },
  );

  it('whatever a field holds, a row is made and the contract accepts it', () => {
    const key = fc.constantFrom(
      'name',
      'type',
      'status',
      'phase',
      'conditions',
      'containers',
      'template',
      'spec',
      'image',
    );
    const junk = fc.object({ key, maxDepth: 4, withNullPrototype: true });
    fc.assert(
      fc.property(junk, junk, junk, (spec, status, labels) => {
        const object = { metadata: { name: 'odd', uid: 'u', labels, annotations: labels }, spec, status };
        sandboxRow.parse(projectSandbox(object, digestPod(object)));
        poolRow.parse(projectPool(object));
        upgradeRow.parse(projectUpgrade(object));
        claimRow.parse(projectClaim(object));
      }),
    );
  });

  it.each(['spec', 'status'])('%s of an odd type is as good as none', (field) => {
    for (const odd of [null, 'text', 3, [null, 1], { conditions: [null, 3, { type: 1 }], containers: 'x' }]) {
      const object = { metadata: { name: 'odd', uid: 'u', labels: [], annotations: 'x', finalizers: 5 }, [field]: odd };
      sandboxRow.parse(projectSandbox(object, digestPod(object)));
      poolRow.parse(projectPool(object));
      upgradeRow.parse(projectUpgrade(object));
      claimRow.parse(projectClaim(object));
    }
  });
});
