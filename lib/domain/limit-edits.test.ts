import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editKey, type LimitText, readSpan, shownText, withEdits, writeSpan } from './limit-edits';

describe('readSpan', () => {
  it.each([
    ['90s', 90_000],
    ['2m', 120_000],
    [' 1h 30m ', 5_400_000],
    ['1H30M', 5_400_000],
    ['1d', 86_400_000],
  ])('%s', (text, ms) => expect(readSpan(text)).toBe(ms));
  it.each(['', '90', 's', '1.5m', '-2m', '2 minutes', '1x', '２m', '99999999999s'])(
    'takes %s for no duration',
    (text) => expect(readSpan(text)).toBeUndefined(),
  );
  it('reads what is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (seconds) => {
        expect(readSpan(writeSpan(seconds * 1_000))).toBe(seconds * 1_000);
      }),
    );
  });
});

const none = { states: {}, pools: {} };
const edit = (pool: string, text: Partial<LimitText>): Map<string, LimitText> =>
  new Map([[editKey(pool, 'Resuming'), { warn: '', breach: '', ...text }]]);

describe('withEdits', () => {
  it('takes one value with the other as it counts without', () => {
    expect(withEdits(none, edit('', { warn: '45s' }))).toEqual({
      settings: { states: { Resuming: { warn: 45_000, breach: 120_000 } }, pools: {} },
      faults: new Map(),
    });
    const states = { Resuming: { warn: 60_000, breach: 600_000 } };
    expect(withEdits({ states, pools: {} }, edit('lab/web', { warn: '2m' })).settings.pools).toEqual({
      'lab/web': { Resuming: { warn: 120_000, breach: 600_000 } },
    });
  });

  it('goes back to what counts without when both are emptied, and changes nothing else', () => {
    const pair = { warn: 1_000, breach: 2_000 };
    const settings = { states: { Resuming: pair, Pausing: pair }, pools: { 'lab/web': { Resuming: pair } } };
    expect(withEdits(settings, edit('', {})).settings).toEqual({ ...settings, states: { Pausing: pair } });
    expect(withEdits(settings, edit('lab/web', {})).settings).toEqual({ ...settings, pools: {} });
    expect(settings.states.Resuming).toBe(pair);
    expect(shownText(settings, 'lab/web', 'Resuming')).toEqual({ warn: '1s', breach: '2s' });
  });

  it.each<[Partial<LimitText>, string, string]>([
    [{ warn: 'soon' }, 'warn', 'span'],
    [{ breach: '0s' }, 'breach', 'bounds'],
    [{ breach: '31d' }, 'breach', 'bounds'],
    [{ warn: '2m' }, 'warn', 'order'],
    [{ warn: '1m', breach: '1m' }, 'breach', 'order'],
  ])('names what is wrong with %j', (text, field, fault) => {
    const { settings, faults } = withEdits(none, edit('lab/web', text));
    expect(faults.get(editKey('lab/web', 'Resuming'))).toEqual({ field, fault });
    expect(settings).toEqual(none);
  });
});
