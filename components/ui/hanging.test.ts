import { expect, it } from 'vitest';
import { hanging } from './hanging';

it.each([
  ['spec:', 2],
  ['    image: code:v2', 6],
  [`${' '.repeat(40)}deep: true`, 14],
])('%j goes on by so much further in than where the line begins', (line, by) => {
  expect(hanging(line)).toEqual({ '--in': by });
});
