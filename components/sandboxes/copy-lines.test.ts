import { expect, it } from 'vitest';
import { kubectlLines, nameLines } from './copy-lines';

const rows = [
  { ns: 'agents-prod', name: 'a' },
  { ns: 'agents-batch', name: 'b' },
  { ns: 'agents-prod', name: 'c' },
];

it('writes one kubectl line a namespace', () => {
  expect(kubectlLines(rows)).toBe('kubectl -n agents-prod get sbx a c\nkubectl -n agents-batch get sbx b');
});

it('writes names alone while they are of one namespace', () => {
  expect(
    nameLines([
      { ns: 'p', name: 'a' },
      { ns: 'p', name: 'c' },
    ]),
  ).toBe('a\nc');
  expect(nameLines(rows)).toBe('agents-prod/a\nagents-batch/b\nagents-prod/c');
});
