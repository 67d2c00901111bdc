import { describe, expect, it } from 'vitest';
import { taskRequest } from '@/lib/contracts/tasks';
import { bytesText } from './bytes';
import { samples } from './samples';

describe.each(Object.entries(samples))('sample %s', (_name, { code, files }) => {
  it('is a task that the server takes', () => {
    const request = {
      pool: { ns: 'lab', name: 'tools' },
      code,
      files: files.map(({ name, text }) => ({ name, base64: btoa(text) })),
      timeLimitSeconds: 60,
    };
    expect(taskRequest.safeParse(request).error).toBeUndefined();
  });

  it('names every file that it reads', () => {
    const read = [...code.matchAll(/open\("([^"]+)"(?:, newline="")?\)/g)].map(([, name]) => name);
    expect(read).toEqual(files.map(({ name }) => name));
  });
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [2_100, '2.1 kB'],
  [999_960, '1.0 MB'],
  [262_144, '262 kB'],
])('%i bytes', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text.replace(' ', '\u00a0'));
});
