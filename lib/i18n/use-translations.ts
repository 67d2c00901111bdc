import { useTranslations as useUntyped } from 'next-intl';
import type { ReactNode } from 'react';
import type { AppMessages } from './messages';

/** Paths of groups of messages: `pools`, `pools.column`. */
type Group<T> = {
  [K in keyof T & string]: T[K] extends string ? never : K | `${K}.${Group<T[K]>}`;
}[keyof T & string];

/** Paths of messages below a group: `title`, `column.pool`. */
type Message<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Message<T[K]>}`;
}[keyof T & string];

type At<T, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? At<T[Head], Rest>
    : never
  : Path extends keyof T
    ? T[Path]
    : never;

type Values = Record<string, string | number>;
type RichValues = Record<string, string | number | ((chunks: ReactNode) => ReactNode)>;

export interface Translate<Key extends string> {
  (key: Key, values?: Values): string;
  /** With tags of the message replaced by elements. */
  rich(key: Key, values: RichValues): ReactNode;
  /** The same as text, for attributes. */
  markup(key: Key, values: Record<string, string | number | ((chunks: string) => string)>): string;
}

/**
 * Messages of a group in the page's language; keys are typed from the English files. The types of `next-intl`
 * itself say the same, but grow past what the compiler follows with this many messages.
 */
export function useTranslations<Path extends Group<AppMessages>>(
  group: Path,
): Translate<Message<At<AppMessages, Path>>> {
  const untyped: unknown = useUntyped(group);
  // The messages of every language have the keys of the English ones (see messages.ts).
  return untyped as Translate<Message<At<AppMessages, Path>>>;
}
