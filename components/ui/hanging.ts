import type { CSSProperties } from 'react';

/** A deeper line is not moved further in: on a telephone nothing would be left of it. */
const most = 12;

/** Style of a `.hang`, a line of code that may wrap: it goes on under its own text and a little further in. */
export function hanging(line: string): CSSProperties {
  const indent = line.length - line.trimStart().length;
  return { '--in': Math.min(indent, most) + 2 } as CSSProperties;
}
