import { describe, expect, it } from 'vitest';
import { mergeTemplates } from './merge-templates';

const template = (image: string, env: [string, string][], extra: object[] = []) => ({
  spec: { containers: [{ name: 'main', image, env: env.map(([name, value]) => ({ name, value })) }, ...extra] },
});

describe('mergeTemplates', () => {
  const base = template('a:1', [['MODE', 'dev']]);

  it('keeps both sides’ changes of different places', () => {
    const mine = template('a:2', [['MODE', 'dev']]);
    const theirs = template('a:1', [['MODE', 'prod']], [{ name: 'side', image: 's:1' }]);
    expect(mergeTemplates(base, mine, theirs)).toEqual({
      merged: template('a:2', [['MODE', 'prod']], [{ name: 'side', image: 's:1' }]),
      overlaps: [],
    });
  });

  it('keeps what was typed where both changed, and says so', () => {
    const mine = template('a:2', [['MODE', 'dev']]);
    const theirs = template('a:3', [['MODE', 'dev']]);
    expect(mergeTemplates(base, mine, theirs)).toEqual({
      merged: mine,
      overlaps: ['spec.containers[main].image'],
    });
  });

  it('is no overlap when both changed alike', () => {
    const same = template('a:2', [['MODE', 'dev']]);
    expect(mergeTemplates(base, same, structuredClone(same))).toEqual({ merged: same, overlaps: [] });
  });

  it('lets removals stand on either side', () => {
    const two = template('a:1', [
      ['MODE', 'dev'],
      ['OLD', '1'],
    ]);
    const mine = template('a:1', [['MODE', 'dev']]);
    const theirs = template('a:9', [
      ['MODE', 'dev'],
      ['OLD', '1'],
    ]);
    expect(mergeTemplates(two, mine, theirs).merged).toEqual(template('a:9', [['MODE', 'dev']]));
    expect(mergeTemplates(two, theirs, mine).merged).toEqual(template('a:9', [['MODE', 'dev']]));
  });

  it('takes lists without names as one value', () => {
    expect(mergeTemplates({ args: ['a'] }, { args: ['a', 'b'] }, { args: ['c'] })).toEqual({
      merged: { args: ['a', 'b'] },
      overlaps: ['args'],
    });
  });
});
