import type { ComponentProps } from 'react';

/** What scrolls within the page: a named region that takes the focus, so that the keyboard scrolls it, too. */
export function ScrollArea({ label, ...rest }: { label: string } & ComponentProps<'section'>) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without a place in the order of focus no key would scroll it
  return <section {...rest} aria-label={label} tabIndex={0} />;
}
