import { describe, expect, test } from 'vitest';
import { figure, growth, percentile, table, unmeasured } from './figures';

describe('percentile', () => {
  test('is one of the values, by nearest rank', () => {
    const values = [30, 10, 40, 20];
    expect(percentile(values, 0.5)).toBe(20);
    expect(percentile(values, 0.51)).toBe(30);
    expect(percentile(values, 0.99)).toBe(40);
    expect(percentile(values, 0)).toBe(10);
    expect(percentile(values, 1)).toBe(40);
  });

  test('of nothing is nothing', () => {
    expect(percentile([], 0.5)).toBeUndefined();
  });
});

describe('growth', () => {
  test('does not see a size that goes up and down around the same', () => {
    expect(growth([100, 140, 100, 140, 100, 140, 100, 140, 100])).toBe(0);
  });

  test('sees one that rises', () => {
    expect(growth([100, 101, 100, 150, 150, 150, 200, 199, 200])).toBe(100);
  });

  test('needs three samples', () => {
    expect(growth([1, 2])).toBeUndefined();
  });
});

describe('figure', () => {
  test('is compared with its budget, the budget included, and with its reference', () => {
    expect(figure('late', 'ms', 200, { budget: 200, reference: 20 })).toMatchObject({ ok: true, ratio: 10 });
    expect(figure('late', 'ms', 200.4, { budget: 200 })).toMatchObject({ ok: false, value: 200 });
    expect(figure('late', 'ms', 200)).toMatchObject({ ok: null, budget: null, reference: null, ratio: null });
  });

  test('keeps three digits of small values', () => {
    expect(figure('late', 'ms', 1.23456).value).toBe(1.23);
    expect(figure('late', 'ms', 12_345.678).value).toBe(12_346);
  });

  test('that was not measured has no value, a reason, and is not within its budget', () => {
    expect(unmeasured('heap', 'MB', 'no browser', 200)).toMatchObject({ value: null, ok: false, why: 'no browser' });
    expect(unmeasured('heap', 'MB', 'no browser').ok).toBeNull();
    expect(figure('heap', 'MB', undefined)).toMatchObject({ value: null, why: 'nothing was seen to measure' });
    expect(figure('heap', 'MB', Number.NaN).value).toBeNull();
    expect(figure('heap', 'MB', undefined, { why: 'no /proc' }).why).toBe('no /proc');
  });
});

test('the table is aligned, and says what is over budget and what was not measured', () => {
  const text = table([
    figure('first rows', 'ms', 1234.5, { budget: 1500 }),
    figure('event to pixel, p99', 'ms', 2000, { budget: 1000, reference: 40 }),
    unmeasured('tab heap', 'MB', 'the tab crashed'),
  ]);
  expect(text.split('\n')).toEqual([
    '                                 budget  plain watch  ratio',
    'first rows           1,235  ms  ≤ 1,500                      ok',
    'event to pixel, p99  2,000  ms  ≤ 1,000           40     50  OVER',
    'tab heap                 –  MB                               not measured: the tab crashed',
  ]);
});
