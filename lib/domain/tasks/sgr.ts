/** How printed text looks. Colours are the sixteen of a terminal (0 to 15), which each theme has in shades that can be read on it. */
export interface Look {
  fg?: number;
  bg?: number;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  strike?: true;
  inverse?: true;
}

export const plain: Look = {};

const styles = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 7: 'inverse', 9: 'strike' } as const;
const ends: Record<number, readonly (keyof Look)[]> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
  39: ['fg'],
  49: ['bg'],
};

/** The look after a "select graphic rendition" (ECMA-48) with these parameters, such as `1;31` or `38;5;208`. What is unknown changes nothing. */
export function selectGraphics(look: Look, parameters: string): Look {
  // A colon separates the parts of one colour where a semicolon may do so too.
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  let next: Look = look;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { colour, used } = extended(codes.slice(at + 1));
      if (colour !== undefined) next = { ...next, [code === 38 ? 'fg' : 'bg']: colour };
      at += used;
    } else next = one(next, code);
  }
  return next;
}

function one(look: Look, code: number): Look {
  if (code === 0) return plain;
  if (code in styles) return { ...look, [styles[code as keyof typeof styles]]: true };
  const ended = ends[code];
  if (ended) return Object.fromEntries(Object.entries(look).filter(([key]) => !ended.some((each) => each === key)));
  if (code >= 30 && code <= 37) return { ...look, fg: code - 30 };
  if (code >= 40 && code <= 47) return { ...look, bg: code - 40 };
  if (code >= 90 && code <= 97) return { ...look, fg: code - 90 + 8 };
  if (code >= 100 && code <= 107) return { ...look, bg: code - 100 + 8 };
  return look;
}

/** A colour out of 256 or of three bytes, and how many parameters it took. */
function extended([kind, ...rest]: readonly number[]): { colour?: number; used: number } {
  const [r = 0, g = 0, b = 0] = rest;
  if (kind === 5) return { colour: ofPalette(r), used: 2 };
  return kind === 2 ? { colour: nearest(r, g, b), used: 4 } : { used: 1 };
}

/** Of xterm's palette: the sixteen, a cube of 6 × 6 × 6, and 24 greys. */
function ofPalette(index: number): number {
  if (index < 16) return Math.max(0, index);
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return nearest(grey, grey, grey);
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

/** The one of the sixteen whose hue it has, and the brighter of its two when it is bright. */
function nearest(r: number, g: number, b: number): number {
  const most = Math.max(r, g, b);
  const least = Math.min(r, g, b);
  if (most - least < 40) return most < 64 ? 0 : most < 144 ? 8 : most < 216 ? 7 : 15;
  const middle = (most + least) / 2;
  const base = (r > middle ? 1 : 0) + (g > middle ? 2 : 0) + (b > middle ? 4 : 0);
  return most > 200 ? base + 8 : base;
}
