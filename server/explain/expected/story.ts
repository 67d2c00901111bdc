/**
 * What has to be said of an object over a recording, second by second: segments `SECOND STATE[/STAGE] [CAUSE[!]] [+HINT …] [@SINCE]`
 * between bars. `!`: waiting never helps. STATE: `-` for no phase, `*` for a pool, whose state is a count. SINCE: the second at which
 * the state began where that is not the first second of the segments that have it; `?` where nothing says it.
 *
 * Written from what was done in the recordings and what the API server sent, not from what the rules answer.
 */
export type Story = Readonly<Record<string, string>>;
export type Stories = Readonly<Record<string, Story>>;

export interface Segment {
  at: number;
  state: string;
  stage?: string;
  cause?: string;
  never: boolean;
  hints: string[];
  /** Second of the recording; undefined: nothing says it. */
  since: number | undefined;
}

/** The segments of a line, in their order. */
export function segmentsOf(line: string): Segment[] {
  const segments: Segment[] = [];
  for (const text of line.split(' | ')) {
    const [at = '', where = '', ...rest] = text.trim().split(/\s+/);
    const [written = '', stage] = where.split('/');
    const state = written === '-' ? '' : written;
    const cause = rest.find((word) => /^[A-Z]/.test(word));
    const since = rest.find((word) => word.startsWith('@'));
    const before = segments.at(-1);
    segments.push({
      at: Number(at),
      state,
      ...(stage === undefined ? {} : { stage }),
      ...(cause === undefined ? {} : { cause: cause.replace('!', '') }),
      never: cause?.endsWith('!') ?? false,
      hints: rest.filter((word) => word.startsWith('+')).map((word) => word.slice(1)),
      since:
        since === '@?'
          ? undefined
          : since
            ? Number(since.slice(1))
            : before?.state === state
              ? before.since
              : Number(at),
    });
  }
  return segments;
}
