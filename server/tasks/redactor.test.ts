import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Redactor } from './redactor';

const secret = 'e2b_6f6b616701';

it('takes a secret out, however it is cut into chunks, and nothing else', () => {
  const words = fc.constantFrom(secret, 'e2b_', 'plain ', '\n', '汉字', secret.slice(0, 9), 'x');
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 12 }),
      fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }),
      (parts, cuts) => {
        const text = parts.join('');
        const redactor = new Redactor([secret]);
        let told = '';
        let from = 0;
        for (let turn = 0; from < text.length; turn++) {
          const length = 1 + (cuts[turn % cuts.length] ?? 0);
          told += redactor.take(text.slice(from, from + length));
          from += length;
        }
        told += redactor.end();
        expect(told).toBe(text.replaceAll(secret, '•••'));
        expect(redactor.found).toBe(text.includes(secret));
      },
    ),
  );
});

it('holds nothing back that cannot be the beginning of a secret', () => {
  const redactor = new Redactor([secret]);
  expect(redactor.take('step 1\n')).toBe('step 1\n');
  expect(redactor.take('a e2b_6f')).toBe('a ');
  expect(redactor.take('!')).toBe('e2b_6f!');
});

it('leaves words alone that are too short to be a secret', () => {
  expect(new Redactor(['abc']).take('abc')).toBe('abc');
});
