import { describe, expect, it } from 'vitest';
import { cpuText, memoryText, parseQuantity, podAsk } from './quantities';

describe('parseQuantity', () => {
  it.each([
    ['500m', 0.5],
    ['2', 2],
    [2, 2],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['128Mi', 134_217_728],
    ['1G', 1e9],
    ['1e3', 1000],
    ['12E', 12e18],
  ])('reads %s', (text, value) => expect(parseQuantity(text)).toBe(value));

  it.each(['', 'two', '1 Gi', '1Gb', '1.2.3', '.', null, {}])('refuses %s', (text) =>
    expect(parseQuantity(text)).toBeUndefined(),
  );
});

const asks = (requests: object, more: object = {}) => ({ resources: { requests }, ...more });

describe('podAsk', () => {
  it('adds containers and sidecars', () => {
    const template = {
      spec: {
        initContainers: [asks({ cpu: '100m' }, { restartPolicy: 'Always' })],
        containers: [asks({ cpu: '500m', memory: '1Gi' }), asks({ cpu: '1' })],
      },
    };
    expect(podAsk(template)).toEqual({ cpu: 1.6, memory: 2 ** 30 });
  });

  it('takes a large init container, with the sidecars before it', () => {
    const template = {
      spec: {
        initContainers: [asks({ cpu: '1' }, { restartPolicy: 'Always' }), asks({ cpu: '3' })],
        containers: [asks({ cpu: '500m' })],
        overhead: { cpu: '250m' },
      },
    };
    expect(podAsk(template)).toEqual({ cpu: 4.25 });
  });

  it('takes the limit where there is no request, and says nothing where nothing is asked', () => {
    expect(podAsk({ spec: { containers: [{ resources: { limits: { memory: '2Gi' } } }] } })).toEqual({
      memory: 2 * 2 ** 30,
    });
    expect(podAsk({ spec: { containers: [{ name: 'x' }] } })).toEqual({});
    expect(podAsk(undefined)).toEqual({});
  });
});

describe('texts', () => {
  it('writes cores and bytes as Kubernetes does', () => {
    expect([0.5, 1, 2.5, 10].map(cpuText)).toEqual(['500m', '1', '2.5', '10']);
    expect([512, 2 ** 29, 1.5 * 2 ** 30, 20 * 2 ** 30].map(memoryText)).toEqual(['512', '512 Mi', '1.5 Gi', '20 Gi']);
  });
});
