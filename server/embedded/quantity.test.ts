import { expect, it } from 'vitest';
import { formatQuantity, parseQuantity } from './quantity';

it('reads amounts with every suffix', () => {
  const amounts = ['100m', '1.5', '512Mi', '1e3', '2k', '.5Gi', 'much', '1 Gi'].map(parseQuantity);
  expect(amounts).toEqual([0.1, 1.5, 512 * 2 ** 20, 1_000, 2_000, 2 ** 29, undefined, undefined]);
});

it('writes the largest suffix that leaves a whole number', () => {
  const texts = [0, 0.1 + 0.2, 1.5, 2, 1_000, 1_500, 0.0001].map((amount) => formatQuantity(amount, false));
  expect(texts).toEqual(['0', '300m', '1500m', '2', '1k', '1500', '100u']);
  expect(
    [2 ** 30, 2 ** 30 + 1, 1_536 * 2 ** 20, 1_000, 1_025, 1.5].map((amount) => formatQuantity(amount, true)),
  ).toEqual(['1Gi', '1073741825', '1536Mi', '1k', '1025', '1500m']);
});
