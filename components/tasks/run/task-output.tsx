'use client';

import { ArrowDownToLine, Download } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Task } from '@/lib/contracts/tasks';
import { bytesText } from '@/lib/domain/tasks/bytes';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button, Icon, ScrollArea, Segmented } from '../../ui';
import { outputPath } from '../queries';
import { OutputLines } from './output-lines';
import type { TaskView } from './task-feed';

const streams = ['both', 'out', 'err'] as const;
/** So near to the end, in pixels, is at the end. */
const nearEnd = 24;

/** What the code prints, as it comes. The end is followed until somebody scrolls up. */
export function TaskOutput({ task, view }: { task: Task; view: TaskView }) {
  const t = useTranslations('tasks.output');
  const [stream, setStream] = useState<(typeof streams)[number]>('both');
  const [isFollowing, setFollowing] = useState(true);
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  /** Somebody has laid hands on it since it was at the end: the browser scrolls by itself, too, when lines come and go. */
  const isByHand = useRef(false);
  const { outBytes, errBytes } = task.output;
  const bytes = { both: outBytes + errBytes, out: outBytes, err: errBytes };
  const lines = useMemo(
    () => (stream === 'both' ? view.lines : view.lines.filter((line) => line.stream === stream)),
    [stream, view.lines],
  );
  const toEnd = () => {
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  };
  const byHand = () => {
    isByHand.current = true;
  };
  const onGrown = useEffectEvent(() => {
    if (isFollowing) toEnd();
  });
  // External system: the browser, which knows how high lines are when they have come into view.
  useEffect(() => {
    const observer = new ResizeObserver(() => onGrown());
    if (content.current) observer.observe(content.current);
    return () => observer.disconnect();
  }, []);
  const isCut = view.skipped > 0 || view.dropped > 0;
  return (
    <section className="task-output" aria-label={t('title')}>
      <div className="sech">
        <Segmented
          label={t('streams')}
          value={stream}
          onChange={setStream}
          options={streams.map((each) => ({
            value: each,
            label:
              bytes[each] === 0 || each === 'both'
                ? t(`stream.${each}`)
                : `${t(`stream.${each}`)} ${bytesText(bytes[each])}`,
          }))}
        />
        <span className="end row sm">
          {bytes[stream] > 0 ? (
            <a className="btn sm" href={outputPath(task.id, stream === 'both' ? undefined : stream)} download>
              <Icon icon={Download} />
              {t('download', { size: bytesText(bytes[stream]) })}
            </a>
          ) : null}
        </span>
      </div>
      {isCut ? (
        <p className="task-cut">
          {view.skipped > 0 ? t('skipped', { size: bytesText(view.skipped) }) : null}
          {view.skipped > 0 && view.dropped > 0 ? ' ' : null}
          {view.dropped > 0 ? t('dropped', { count: view.dropped }) : null} {t('whole')}
        </p>
      ) : null}
      {view.hasGap ? <p className="task-cut">{t('gap')}</p> : null}
      <div className="task-screen">
        <ScrollArea
          ref={scroller}
          className="out"
          label={t(`label.${stream}`)}
          onWheel={byHand}
          onTouchMove={byHand}
          onKeyDown={byHand}
          onPointerDown={byHand}
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
            const isAtEnd = scrollHeight - scrollTop - clientHeight < nearEnd;
            if (isAtEnd || isByHand.current) setFollowing(isAtEnd);
            if (isAtEnd) isByHand.current = false;
          }}
        >
          <div ref={content}>
            {lines.length > 0 ? <OutputLines lines={lines} /> : <p className="dim">{nothing()}</p>}
          </div>
        </ScrollArea>
        {isFollowing ? null : (
          <Button
            size="sm"
            className="task-follow"
            icon={ArrowDownToLine}
            onClick={() => {
              setFollowing(true);
              toEnd();
            }}
          >
            {t('follow')}
          </Button>
        )}
      </div>
    </section>
  );

  function nothing(): string {
    const run = task.steps.find(({ name }) => name === 'run')?.state;
    if (bytes[stream] > 0) return t(view.state === 'over' ? 'elsewhere' : 'coming', { size: bytesText(bytes[stream]) });
    const isPart = task.notes.some(({ code }) => code === 'adopted' || code === 'connectionLost');
    if (task.endedAt !== undefined || run === 'done') return t(isPart ? 'noneHeard' : 'none');
    if (run !== 'running') return t('notYet');
    // Without its stream nobody can tell that nothing was printed.
    return t(view.state === 'live' ? 'quiet' : 'unheard');
  }
}
