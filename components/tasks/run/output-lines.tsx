'use client';

import clsx from 'clsx';
import { memo, useMemo } from 'react';
import type { Line } from '@/lib/domain/tasks/open-line';
import type { Look } from '@/lib/domain/tasks/sgr';
import { useTranslations } from '@/lib/i18n/use-translations';

/** Lines that are drawn together: those that are far out of sight cost nothing. */
const together = 50;

function classOf({ fg, bg, bold, dim, italic, underline, strike, inverse }: Look): string | undefined {
  return (
    clsx(
      bg !== undefined && `a-bg${bg % 8}`,
      // On a coloured ground only the ink itself can be read everywhere.
      fg !== undefined && bg === undefined && !inverse && `a-fg${fg}`,
      bold && 'a-b',
      dim && 'a-d',
      italic && 'a-i',
      underline && 'a-u',
      strike && 'a-s',
      inverse && 'a-r',
    ) || undefined
  );
}

/** Printed lines, as text and nothing else. Those of stderr have a mark before them, in a column of its own. */
export function OutputLines({ lines }: { lines: readonly Line[] }) {
  const blocks = useMemo(() => {
    const grouped = new Map<number, Line[]>();
    for (const line of lines) {
      const block = Math.floor(line.n / together);
      const known = grouped.get(block);
      if (known) known.push(line);
      else grouped.set(block, [line]);
    }
    return [...grouped];
  }, [lines]);
  const isMarked = lines.some(({ stream }) => stream === 'err');
  return (
    <div className="task-lines" data-marked={isMarked || undefined}>
      {blocks.map(([block, held]) => (
        <Block key={block} lines={held} />
      ))}
    </div>
  );
}

const Block = memo(
  function Block({ lines }: { lines: readonly Line[] }) {
    const t = useTranslations('tasks.output');
    return (
      <div className="task-block">
        {lines.map(({ n, stream, runs }) => (
          <div key={n} className="task-line" data-stream={stream}>
            {stream === 'err' ? <span className="task-mark">{t('mark')}</span> : null}
            {runs.map(({ text, look }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a run is its place in the line
              <span key={at} className={classOf(look)}>
                {text}
              </span>
            ))}
            {'\n'}
          </div>
        ))}
      </div>
    );
  },
  (was, is) => was.lines.length === is.lines.length && was.lines.every((line, at) => line === is.lines[at]),
);
