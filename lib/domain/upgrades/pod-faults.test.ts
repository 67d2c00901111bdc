import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { templates } from './arbitraries.testing';
import { podFaults } from './pod-faults';
import { cpu, pod, refusedPods, rightPods } from './pod-faults.testing';

const said = (after: object, before: object = pod(), claims: string[] = []) =>
  podFaults(before as never, after as never, claims).map(({ path, code }) => `${code} at ${path}`);
describe('a Pod that can never be made', () => {
  it.each(refusedPods)('%s', (_, after, fault) => {
    expect(said(after)).toEqual([fault]);
  });

  it('says what belongs there', () => {
    const after = pod({ ...cpu('2', 1), volumeMounts: [{ name: 'x', mountPath: '/d' }] });
    expect(podFaults(pod(), after, []).map(({ values }) => values)).toEqual([
      { value: '2', limit: '1' },
      { value: 'x', there: 'conf' },
    ]);
  });

  it('is not what the sandbox brings besides its template, nor what was so before', () => {
    const after = pod({ volumeMounts: [{ name: 'disk', mountPath: '/d' }] });
    expect(said(after, pod(), ['disk'])).toEqual([]);
    expect(said({ metadata: { labels: { b: '1' } }, ...after }, after)).toEqual([]);
  });

  it.each(rightPods)('%s are right', (_, after) => {
    expect(said(after)).toEqual([]);
  });

  it('no template blames itself', () => {
    fc.assert(
      fc.property(templates, (template) => {
        expect(podFaults(template, template, [])).toEqual([]);
      }),
    );
  });
});
