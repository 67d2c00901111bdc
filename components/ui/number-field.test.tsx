// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { NextIntlClientProvider } from 'next-intl';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { messagesOf } from '@/lib/i18n/messages';
import { NumberField, parseWhole } from './number-field';

afterEach(cleanup);

describe('parseWhole', () => {
  it.each(['-1', '1.5', '1e3', '１２', '', ' 3', '2147483648', '0x10', '99999999999999999999', '+3', 'NaN'])(
    'refuses %j',
    (text) => {
      expect(parseWhole(text, 0, 2_147_483_647)).toBeUndefined();
    },
  );

  it('reads whole numbers within the bounds, 0 included', () => {
    expect(parseWhole('0', 0, 10)).toBe(0);
    expect(parseWhole('2147483647', 0, 2_147_483_647)).toBe(2_147_483_647);
    expect(parseWhole('007', 0, 10)).toBe(7);
  });
});

function Host({ start }: { start: string }) {
  const [value, setValue] = useState(start);
  const error = parseWhole(value, 0, 100) === undefined ? 'A whole number from 0 to 100' : undefined;
  return <NumberField label="Wanted" value={value} onChange={setValue} max={100} error={error} />;
}

const show = (start: string) =>
  render(
    <NextIntlClientProvider locale="en" messages={messagesOf('en')} timeZone="UTC">
      <Host start={start} />
    </NextIntlClientProvider>,
  );
const field = () => screen.getByRole('textbox', { name: 'Wanted' });

describe('NumberField', () => {
  it('steps by buttons and arrows, and stops at the bounds', async () => {
    show('99');
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'One more' }));
    await user.click(screen.getByRole('button', { name: 'One more' }));
    expect(field()).toHaveProperty('value', '100');
    await user.type(field(), '{ArrowDown}{PageDown}');
    expect(field()).toHaveProperty('value', '89');
  });

  it('keeps what was typed, says what is wrong with it and does not step from it', async () => {
    show('');
    const user = userEvent.setup();
    await user.type(field(), '1e3{ArrowUp}');
    expect(field()).toHaveProperty('value', '1e3');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    const described = field().getAttribute('aria-describedby');
    expect(document.getElementById(described ?? '')?.textContent).toBe('A whole number from 0 to 100');
  });
});
