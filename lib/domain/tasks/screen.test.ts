import { describe, expect, it } from 'vitest';
import { Screen } from './screen';
import { plain, selectGraphics } from './sgr';

const shown = (...texts: string[]) => {
  const screen = new Screen();
  for (const text of texts) screen.write('out', text);
  return screen.lines().map(({ runs }) => runs.map(({ text }) => text).join(''));
};
const looks = (text: string) => {
  const screen = new Screen();
  screen.write('out', text);
  return screen.lines()[0]?.runs;
};

describe('what is printed as lines', () => {
  it('overwrites within the line on carriage return and backspace', () => {
    expect(shown(' 10%\r 20%\r100%\n')).toEqual(['100%']);
    expect(shown('longer\rshort')).toEqual(['shortr']);
    expect(shown('longer\r\u001b[Kshort\n')).toEqual(['short']);
    expect(shown('ab\b\bxy\bz')).toEqual(['xz']);
    expect(shown('windows\r\n', 'lines\r\n')).toEqual(['windows', 'lines']);
    expect(shown('\b\rok')).toEqual(['ok']);
  });

  it('puts tabs on columns, and keeps empty lines', () => {
    expect(shown('a\tb\n\n12345678\tc\n')).toEqual(['a       b', '', '12345678        c']);
  });

  it('takes escapes out that it does not follow, wherever they are cut', () => {
    const text =
      '\u001b]0;title\u0007\u001b[2J\u001b[10;5Hred \u001b]8;;http://a\u001b\\link\u001b]8;;\u001b\\\u001b(B\u001b=\u0007.\u0000';
    const whole = shown(text);
    expect(whole).toEqual(['red link.']);
    for (let cut = 1; cut < text.length; cut++) expect(shown(text.slice(0, cut), text.slice(cut))).toEqual(whole);
  });

  it('never takes what follows a broken escape for part of it', () => {
    expect(shown('\u001b[31\nnext')).toEqual(['', 'next']);
    expect(shown(`\u001b]0;${'x'.repeat(5_000)}`)[0]).toContain('xxx');
  });

  it('shows mark-up as text', () => {
    expect(shown('<img src=x onerror=alert(1)>\n')).toEqual(['<img src=x onerror=alert(1)>']);
  });

  it('gives each stream lines of its own', () => {
    const screen = new Screen();
    screen.write('out', 'a');
    screen.write('err', '\u001b[31mboom\n');
    screen.write('out', 'b\n');
    expect(screen.lines().map(({ stream, runs }) => [stream, runs])).toEqual([
      ['out', [{ text: 'ab', look: plain }]],
      ['err', [{ text: 'boom', look: { fg: 1 } }]],
    ]);
  });

  it('keeps the last of a long output, and counts what it dropped', () => {
    const screen = new Screen();
    screen.write('out', Array.from({ length: 100_000 }, (_, n) => `${n}\n`).join(''));
    expect(screen.lines()).toHaveLength(5_000);
    expect(screen.lines().at(-1)?.runs[0]?.text).toBe('99999');
    expect(screen.dropped).toBe(95_000);
    expect(screen.lines()[0]?.n).toBe(95_000);
  });

  it('breaks a line without an end, and keeps no more of it than of others', () => {
    const screen = new Screen();
    for (let part = 0; part < 20; part++) screen.write('out', 'x'.repeat(100_000));
    const lines = screen.lines();
    expect(Math.max(...lines.map(({ runs }) => runs[0]?.text.length ?? 0))).toBe(4_096);
    expect(lines.length).toBeLessThanOrEqual(65);
    expect(screen.dropped).toBeGreaterThan(400);
  });

  it('does not count what was written over', () => {
    const screen = new Screen();
    screen.write('out', 'first\n');
    for (let done = 0; done < 10_000; done++) screen.write('err', `\r\u001b[K${'#'.repeat(40)} ${done}`);
    expect(screen.dropped).toBe(0);
    expect(screen.lines()).toHaveLength(2);
  });

  it('leaves a line alone that nothing was printed on', () => {
    const screen = new Screen();
    screen.write('out', 'one\ntwo');
    const [one, two] = screen.lines();
    screen.write('err', 'three\n');
    expect(screen.lines()[0]).toBe(one);
    expect(screen.lines()[1]).toBe(two);
  });
});

describe('colours', () => {
  it('goes on until it is reset, also in the next line', () => {
    expect(looks('\u001b[1;31mred\u001b[22m thin\u001b[m plain')).toEqual([
      { text: 'red', look: { bold: true, fg: 1 } },
      { text: ' thin', look: { fg: 1 } },
      { text: ' plain', look: plain },
    ]);
  });

  it.each([
    ['91', { fg: 9 }],
    ['42', { bg: 2 }],
    ['38;5;208', { fg: 11 }],
    ['38;5;9', { fg: 9 }],
    ['48;5;236', { bg: 0 }],
    ['38;2;30;200;40', { fg: 2 }],
    ['38:2:20:20:250;4', { fg: 12, underline: true }],
    ['38;2;250;250;250', { fg: 15 }],
    ['99', {}],
  ])('%s', (parameters, look) => {
    expect(selectGraphics(plain, parameters)).toEqual(look);
  });
});
