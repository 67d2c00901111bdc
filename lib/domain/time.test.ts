import { describe, expect, it } from 'vitest';
import table from './fixtures/times.json';
import { durationText, formatDuration, parseTime } from './time';

const now = Date.parse('2026-11-03T08:00:00Z');

describe('parseTime', () => {
  it.each(table.instants.filter(({ want }) => want === '10 min ago'))('$in is ten minutes ago', ({ in: text }) => {
    const time = parseTime(text);
    expect(time && Math.floor(time / 1000)).toBe(now / 1000 - 600);
  });

  it.each(table.instants.filter(({ want }) => want.startsWith('dash')))('$in is no instant', ({ in: text }) => {
    expect(parseTime(text)).toBeUndefined();
  });

  it('reads far futures, and takes year 9999 for no limit', () => {
    expect(parseTime('2126-11-03T08:00:00Z')).toBe(Date.UTC(2126, 10, 3, 8));
    expect(parseTime('2026-12-05T08:00:00Z')).toBe(now + 32 * 86_400_000);
    expect(parseTime('9999-12-31T23:59:59Z')).toBeUndefined();
  });

  it('keeps milliseconds of micro and nano seconds', () => {
    expect(parseTime('2026-11-03T08:00:00.123456789Z')).toBe(now + 123);
  });

  it('takes a Date and refuses what is no time', () => {
    expect(parseTime(new Date(now))).toBe(now);
    for (const value of [new Date(Number.NaN), now, {}, [], true, '2026-13-03T08:00:00Z', 'now']) {
      expect(parseTime(value)).toBeUndefined();
    }
  });

  it('orders by instant, not by text', () => {
    const times = table.sorting.map(parseTime);
    expect(times.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(times);
  });
});

describe('formatDuration', () => {
  const second = 1000;
  const minute = 60 * second;
  const hour = 60 * minute;
  const day = 24 * hour;
  it.each([
    [0, '0 ms'],
    [320.9, '320 ms'],
    [999, '999 ms'],
    [9 * second, '9.0 s'],
    [9.99 * second, '9.9 s'],
    [48.7 * second, '48 s'],
    [59_999, '59 s'],
    [14 * minute + 8 * second, '14m 08s'],
    [2 * hour + 35 * minute, '2h 35m'],
    [2 * day + 3 * hour, '2d 03h'],
    [120 * day, '120 d'],
    [100 * 365.25 * day, '100 y'],
    [Number.MAX_SAFE_INTEGER, '285420 y'],
    [-5 * minute, '0 ms'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
  ])('%d ms reads %s', (ms, text) => {
    expect(durationText(formatDuration(ms))).toBe(text);
  });

  it('leaves out fractions where numbers tick', () => {
    expect(durationText(formatDuration(320, { whole: true }))).toBe('0 s');
    expect(durationText(formatDuration(9400, { whole: true }))).toBe('9 s');
  });
});
