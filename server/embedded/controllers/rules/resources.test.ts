import { expect, it } from 'vitest';
import { covers, qosClass, quantity, type Resources } from './resources';

it('reads amounts in every unit', () => {
  expect(['700m', '2', '1.5', '1Gi', '1G', '100n', '1e3'].map(quantity)).toEqual([
    0.7,
    2,
    1.5,
    2 ** 30,
    1e9,
    1e-7,
    1000,
  ]);
  expect(quantity('much')).toBeNaN();
  expect(quantity('1Qi')).toBeNaN();
});

it('covers what is wanted with as much or more, whatever else is there', () => {
  const actual = { requests: { cpu: '1', 'ephemeral-storage': '1Gi' }, limits: { cpu: '2000m' } };
  expect(covers(actual, { requests: { cpu: '1000m' }, limits: { cpu: '2' } })).toBe(true);
  expect(covers(actual, { requests: { cpu: '1500m' } })).toBe(false);
  expect(covers(actual, { limits: { memory: '1Gi' } })).toBe(false);
  expect(covers(undefined, undefined)).toBe(true);
});

it('tells the class of service as Kubernetes does', () => {
  const container = (resources: Resources) => ({ name: 'a', resources });
  const both = { cpu: '1', memory: '1Gi' };
  expect(qosClass([container({})])).toBe('BestEffort');
  expect(qosClass([container({ limits: { cpu: '0' } })])).toBe('BestEffort');
  expect(qosClass([container({ requests: both, limits: both })])).toBe('Guaranteed');
  expect(qosClass([container({ requests: both, limits: both }), container({})])).toBe('Burstable');
  expect(qosClass([container({ requests: { cpu: '1' }, limits: both })])).toBe('Burstable');
  expect(qosClass([container({ requests: { ...both, cpu: '1000m' }, limits: both })])).toBe('Guaranteed');
});
