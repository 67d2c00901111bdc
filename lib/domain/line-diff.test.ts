import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff } from './line-diff';

it('keeps common lines and numbers both sides', () => {
  expect(lineDiff('a\nb\nc', 'a\nx\nc\nd')).toEqual([
    { kind: 'same', text: 'a', left: 1, right: 1 },
    { kind: 'removed', text: 'b', left: 2 },
    { kind: 'added', text: 'x', right: 2 },
    { kind: 'same', text: 'c', left: 3, right: 3 },
    { kind: 'added', text: 'd', right: 4 },
  ]);
});

it('holds each side whole and in order, and is empty of changes for equal texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after);
      expect(
        lines
          .filter(({ left }) => left)
          .map((line) => line.text)
          .join('\n'),
      ).toBe(before);
      expect(
        lines
          .filter(({ right }) => right)
          .map((line) => line.text)
          .join('\n'),
      ).toBe(after);
      expect(lineDiff(before, before).every(({ kind }) => kind === 'same')).toBe(true);
    }),
  );
});
