import { createTranslator } from 'next-intl';
import { describe, expect, it } from 'vitest';
import { locales } from '../i18n/locales';
import { messagesOf } from '../i18n/messages';
import { fieldReason, problem, type RefusalReason, refusalValues } from './problem';

const sentencesOf = (locale: (typeof locales)[number]) => {
  const { refusal, refusedField } = messagesOf(locale).common;
  return { refusal, refusedField };
};

/** As the pages write it; throws on a value that the sentence names and does not get. */
function written(locale: (typeof locales)[number], reason: RefusalReason, values: Record<string, string>): string {
  const say: (key: RefusalReason, values: Record<string, string>) => string = createTranslator({
    locale,
    messages: { refusal: sentencesOf(locale).refusal },
    namespace: 'refusal',
    onError: (error) => {
      throw error;
    },
  });
  return say(reason, values);
}

describe('a refusal of the console’s own', () => {
  it.each(locales)('has one sentence a reason in %s, and no other', (locale) => {
    const { refusal, refusedField } = sentencesOf(locale);
    expect(Object.keys(refusal).sort()).toEqual(Object.keys(refusalValues).sort());
    expect(Object.keys(refusedField).sort()).toEqual([...fieldReason.options].sort());
  });

  it.each(Object.entries(refusalValues))(
    '%s says its values in every language, and can do without what is unknown',
    (key, names) => {
      const reason = key as RefusalReason;
      const values = Object.fromEntries(names.map((name) => [name, `‹${name}›`]));
      const none = Object.fromEntries(names.map((name) => [name, 'none']));
      for (const locale of locales) {
        const text = written(locale, reason, values);
        expect(names.filter((name) => !text.includes(`‹${name}›`))).toEqual([]);
        expect(text).not.toMatch(/[{}]/);
        expect(written(locale, reason, none)).not.toMatch(/[{}‹]/);
      }
      expect(written('zh-CN', reason, values)).not.toBe(written('en', reason, values));
    },
  );

  it('of a newer console is still a problem, with its message', () => {
    const told = {
      code: 'conflict',
      status: 409,
      message: 'of a later day',
      requestId: 'r',
      reason: 'later',
      values: {},
    };
    expect(problem.parse(told)).toMatchObject({ message: 'of a later day', reason: undefined });
    expect(problem.parse({ ...told, fields: [{ field: 'a', message: 'b', reason: 'later' }] }).fields).toMatchObject([
      { message: 'b', reason: undefined },
    ]);
  });
});
