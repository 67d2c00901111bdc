import { describe, expect, it } from 'vitest';
import { sideBySide } from './side-by-side';

const numbered = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}`);

describe('sideBySide', () => {
  it('puts changed lines beside each other and leaves out equal ones that are far away', () => {
    const before = numbered(20);
    const after = [...before];
    after[10] = 'new';
    const rows = sideBySide(before.join('\n'), after.join('\n'));
    expect(rows).toHaveLength(9);
    expect(rows[0]).toEqual({ kind: 'gap', count: 7 });
    expect(rows[4]).toEqual({ kind: 'lines', left: 'line 10', right: 'new', changed: true });
    expect(rows[8]).toEqual({ kind: 'gap', count: 6 });
  });

  it('leaves the other side empty for lines that only one has', () => {
    expect(sideBySide('a\nb', 'a\nb\nc\nd').slice(2)).toEqual([
      { kind: 'lines', right: 'c', changed: true },
      { kind: 'lines', right: 'd', changed: true },
    ]);
    expect(sideBySide('a\nb\nc', 'a\nx').slice(1)).toEqual([
      { kind: 'lines', left: 'b', right: 'x', changed: true },
      { kind: 'lines', left: 'c', changed: true },
    ]);
  });
});
