import { expect, test } from 'vitest';
import { readEnvironment } from './env';

test('without variables everything has its default, and an empty one counts as none', () => {
  const defaults = {
    CONSOLE_EMBEDDED: false,
    CONSOLE_ORIGINS: [],
    CONSOLE_USER: 'operator',
    CONSOLE_WATCH_SILENCE_SECONDS: 90,
  };
  expect(readEnvironment({})).toMatchObject(defaults);
  const empty = Object.fromEntries([...Object.keys(defaults), 'CONSOLE_LOG_LEVEL'].map((name) => [name, ' ']));
  expect(readEnvironment(empty)).toEqual(readEnvironment({}));
});

test('values are read without the blanks around them', () => {
  const read = readEnvironment({
    CONSOLE_USER: ' mara ',
    CONSOLE_EMBEDDED: '1',
    CONSOLE_WATCH_SILENCE_SECONDS: '30',
    CONSOLE_ORIGINS: 'https://a.example/, http://b.example:8080',
  });
  expect(read).toMatchObject({
    CONSOLE_USER: 'mara',
    CONSOLE_EMBEDDED: true,
    CONSOLE_WATCH_SILENCE_SECONDS: 30,
    CONSOLE_ORIGINS: ['https://a.example', 'http://b.example:8080'],
  });
});

test.each([
  ['CONSOLE_EMBEDDED', 'yes', 'Set it to 1 or 0.'],
  ['CONSOLE_PRACTICE_URL', 'http://elsewhere.example.org', 'on this machine'],
  ['CONSOLE_ORIGINS', 'console.example.com', 'https://console.example.com'],
  ['CONSOLE_ORIGINS', 'https://a.example/console', 'without a path'],
  ['CONSOLE_WATCH_SILENCE_SECONDS', '90s', 'a number of seconds from 1 to 3600'],
  ['CONSOLE_WATCH_SILENCE_SECONDS', '0', 'a number of seconds from 1 to 3600'],
  ['CONSOLE_WATCH_SILENCE_SECONDS', '1e9', 'a number of seconds from 1 to 3600'],
  ['CONSOLE_DATA_DIR', 'data', 'Give the whole path'],
  ['CONSOLE_HISTORY_DAYS', '0', 'a whole number of days from 1 to 3650'],
  ['CONSOLE_HISTORY_ROWS', '1.5e3.2', 'a whole number of rows from 1000'],
  ['CONSOLE_LOG_LEVEL', 'verbose', 'debug, info, warn, error, silent'],
])('%s=%s is refused by name, with what to do', (name, value, remedy) => {
  const read = () => readEnvironment({ [name]: value });
  expect(read).toThrow(`The variable ${name} is "${value}".`);
  expect(read).toThrow(remedy);
});

test('all that is wrong is said at once', () => {
  expect(() => readEnvironment({ CONSOLE_EMBEDDED: 'x', CONSOLE_LOG_LEVEL: 'y' })).toThrow(
    /CONSOLE_EMBEDDED.+\n.+CONSOLE_LOG_LEVEL/,
  );
});

test('the URL of a database is for PostgreSQL, and its password is told nobody', () => {
  const url = 'postgres://console:hunter2@db:5432/console';
  expect(readEnvironment({ CONSOLE_DATABASE_URL: url }).CONSOLE_DATABASE_URL).toBe(url);
  const wrong = () => readEnvironment({ CONSOLE_DATABASE_URL: 'mysql://console:hunter2@db/console' });
  expect(wrong).toThrow(/CONSOLE_DATABASE_URL.*postgres:/);
  expect(wrong).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }));
});
