import { describe, expect, it } from 'vitest';
import { taskFiles } from './request';

const accepts = (...names: string[]) => taskFiles.safeParse(names.map((name) => ({ name, base64: '' }))).success;

describe('names of files beside the code', () => {
  it.each(['sales (1).csv', 'résumé [final], v2+.txt', '数据 表.csv', 'o\'clock & "quotes".md', '-n', 'a'])(
    'takes %s',
    (name) => {
      expect(accepts(name)).toBe(true);
    },
  );

  it.each(['', '.env', '..', ' a', 'a/b', 'a\\b', 'a\nb', 'a\u202eb', 'a\ud800', 'task.py', 'x'.repeat(129)])(
    'refuses %j',
    (name) => {
      expect(accepts(name)).toBe(false);
    },
  );

  it('refuses two of one name', () => {
    expect(accepts('a', 'b')).toBe(true);
    expect(accepts('a', 'a')).toBe(false);
  });
});
