import { describe, expect, it } from 'vitest';
import { inTermsOf } from './template-order';

const text = (value: unknown) => JSON.stringify(value);
const before = {
  metadata: { labels: { app: 'web' } },
  spec: {
    restartPolicy: 'Always',
    containers: [
      { image: 'a:1', name: 'main', resources: { requests: { memory: '1Gi', cpu: '500m' }, limits: { cpu: '2' } } },
    ],
  },
};

describe('inTermsOf', () => {
  it('keeps the order of keys that was there, whatever the order of the new text', () => {
    const after = {
      spec: {
        containers: [
          { name: 'main', resources: { limits: { cpu: '2' }, requests: { cpu: '1', memory: '1Gi' } }, image: 'a:2' },
        ],
        restartPolicy: 'Always',
      },
      metadata: { labels: { app: 'web' } },
    };
    expect(text(inTermsOf(before, after))).toBe(text(before).replace('a:1', 'a:2').replace('500m', '1'));
  });

  it('puts new keys behind the one that they were written behind', () => {
    expect(text(inTermsOf({ a: 1, b: 2, c: 3 }, { z: 0, c: 3, b: 2, x: 4, a: 1 }))).toBe(
      text({ z: 0, a: 1, b: 2, x: 4, c: 3 }),
    );
  });

  it('takes entries of lists by name, and leaves their order as it was written', () => {
    const one = [{ value: '1', name: 'A' }];
    expect(text(inTermsOf(one, [{ name: 'B' }, { name: 'A', value: '2' }]))).toBe(
      text([{ name: 'B' }, { value: '2', name: 'A' }]),
    );
  });

  it('takes quantities of the same value for the same, and nothing else', () => {
    const same = structuredClone(before);
    same.spec.containers[0] = {
      image: 'a:1',
      name: 'main',
      resources: { requests: { memory: '1024Mi', cpu: '0.5' }, limits: { cpu: 2 as never } },
    };
    expect(inTermsOf(before, same)).toEqual(before);
    expect(inTermsOf({ labels: { cpu: '1' } }, { labels: { cpu: '1000m' } })).toEqual({ labels: { cpu: '1000m' } });
  });

  it('is no place for the keys that every object has', () => {
    expect(text(inTermsOf({ constructor: 1 }, { toString: 1, constructor: 2 }))).toBe(
      text({ toString: 1, constructor: 2 }),
    );
  });
});
