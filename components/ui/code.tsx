'use client';

import { Fragment, type ReactNode } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { CopyButton } from './copy-button';

/** A command to run elsewhere: the equivalent `kubectl` line of an action. */
export function Command({ text, label }: { text: string; label?: ReactNode }) {
  const t = useTranslations('common.copy');
  return (
    <div className="fld">
      {label ? <span className="lab">{label}</span> : null}
      <div className="cmd">
        <code>
          {text.split(' ').map((word, index) => (
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
    // A scroll area has to be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="code" aria-label={label} tabIndex={0}>
      {text.split('\n').map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
        <div key={index} data-l={index + 1}>
          <span>{line}</span>
        </div>
      ))}
    </section>
  );
}
