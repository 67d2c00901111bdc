'use client';

import { Fragment } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { CopyButton } from './copy-button';
import { ScrollArea } from './scroll-area';

/** A command to run elsewhere: the equivalent `kubectl` line of an action. One of several lines, such as a here-document, keeps them. */
export function Command({ text, label }: { text: string; label?: string }) {
  const t = useTranslations('common.copy');
  const said = text.trimEnd();
  if (said.includes('\n')) {
    return (
      <div className="fld">
        <span className="row">
          <span className="lab grow">{label}</span>
          <CopyButton text={text} label={t('command')} />
        </span>
        <div className="cmd-lines">
          <CodeBlock text={said} label={label ?? t('text')} />
        </div>
      </div>
    );
  }
  return (
    <div className="fld">
      {label ? <span className="lab">{label}</span> : null}
      <div className="cmd">
        <code>
          {said.split(' ').map((word, index) => (
            // A flag moves to the next line as a whole. The text stays selectable as it is.
            // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
            <Fragment key={index}>
              {index > 0 ? ' ' : null}
              <span>{word}</span>
            </Fragment>
          ))}
        </code>
        <CopyButton text={text} label={t('command')} />
      </div>
    </div>
  );
}

/** Lines of text as they are, numbered. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <ScrollArea className="code" label={label}>
      {text.split('\n').map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
        <div key={index} data-l={index + 1}>
          <span>{line}</span>
        </div>
      ))}
    </ScrollArea>
  );
}
