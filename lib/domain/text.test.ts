import { describe, expect, it } from 'vitest';
import { cutText, evidence, safeLink, visibleText } from './text';

describe('visibleText', () => {
  it.each([
    ['right-to-left override', 'gpj.\u202Eexe', 'gpj.⟨U+202E⟩exe'],
    ['isolates', 'a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
    ['zero width', 'pay\u200Bpal', 'pay⟨U+200B⟩pal'],
    ['byte order mark', '\uFEFFx', '⟨U+FEFF⟩x'],
    ['NUL and ESC', 'a\u0000\u001B[31mb', 'a␀␛[31mb'],
    ['DEL and C1', '\u007F\u009B', '␡⟨U+009B⟩'],
    ['carriage return', 'a\rb', 'a␍b'],
    ['tag characters', 'a\u{E0041}', 'a⟨U+E0041⟩'],
    ['markup', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['other scripts', '漢字 עברית émoji 👩‍🚀'.replace('\u200D', ''), '漢字 עברית émoji 👩🚀'],
  ])('%s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('keeps layout in blocks and marks it in lines', () => {
    expect(visibleText('a\tb\nc')).toBe('a\tb\nc');
    expect(visibleText('a\tb\nc', 'mark')).toBe('a→b↵c');
  });
});

describe('cutText', () => {
  it('cuts to length and never through a character', () => {
    expect(cutText('abcdef', 6)).toBe('abcdef');
    expect(cutText('abcdef', 5)).toBe('abcd…');
    expect(cutText('ab😀cd', 4)).toBe('ab…');
  });
});

describe('evidence', () => {
  it('is one line of at most 200 characters', () => {
    expect(evidence(' hook failed\nexit 2\n')).toBe('hook failed↵exit 2');
    expect(evidence('x'.repeat(32_768))).toHaveLength(200);
    expect(evidence('\u0000'.repeat(300))).toHaveLength(200);
  });

  it('ends with an ellipsis when anything was cut, also behind a credential', () => {
    for (const said of ['x'.repeat(201), `token=${'x'.repeat(500)} refused`]) expect(evidence(said)).toMatch(/…$/);
    expect(evidence('x'.repeat(200))).not.toMatch(/…$/);
  });

  it('is nothing when there is nothing', () => {
    for (const text of [undefined, '', '  \n']) expect(evidence(text)).toBeUndefined();
  });

  it('does not repeat a credential that a program printed', () => {
    expect(evidence('export FAILED: DB_PASSWORD=hunter2 rejected')).toBe('export FAILED: DB_PASSWORD=••• rejected');
  });
});

describe('safeLink', () => {
  it.each(['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', '//host/x', 'https:/x y', 'http://', ''])(
    '%s is no link',
    (text) => {
      expect(safeLink(text)).toBeUndefined();
    },
  );

  it('keeps http and https', () => {
    expect(safeLink('https://example.net/a?b=c')).toBe('https://example.net/a?b=c');
  });
});
