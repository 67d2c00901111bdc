import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../env';
import { takeToken } from './rate';
import { asksOwnHost, fromOwnPages } from './same-origin';

describe('fromOwnPages', () => {
  const of = (headers: Record<string, string>, env = {}) => fromOwnPages(new Headers(headers), readEnvironment(env));

  it('believes the browser’s Sec-Fetch-Site, whatever a proxy made of the host', () => {
    expect(of({ 'sec-fetch-site': 'same-origin', origin: 'https://console.example', host: '10.0.0.7:3000' })).toBe(
      true,
    );
    expect(of({ 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example.org', host: 'c' })).toBe(false);
    expect(of({ 'sec-fetch-site': 'same-site', origin: 'https://b.example', host: 'a.example' })).toBe(false);
  });

  it('compares the Origin with the host where the browser says nothing else', () => {
    expect(of({ origin: 'http://localhost:3000', host: 'localhost:3000' })).toBe(true);
    expect(of({ origin: 'http://localhost:3001', host: 'localhost:3000' })).toBe(false);
    expect(of({ origin: 'https://elsewhere.example.org', host: 'localhost:3000' })).toBe(false);
    expect(of({ origin: 'null', host: 'localhost:3000' })).toBe(false);
    expect(of({ origin: 'http://c.example', host: 'pod:3000', 'x-forwarded-host': 'c.example, inner' })).toBe(true);
  });

  it('takes listed origins and clients that are no browser', () => {
    const env = { CONSOLE_ORIGINS: 'https://a.example/, https://b.example' };
    expect(of({ origin: 'https://a.example', host: 'pod' }, env)).toBe(true);
    expect(of({ origin: 'https://c.example', host: 'pod' }, env)).toBe(false);
    expect(of({ host: 'localhost:3000' })).toBe(true);
  });
});

describe('asksOwnHost', () => {
  const of = (host: string, env: Record<string, string>) => asksOwnHost(new Headers({ host }), readEnvironment(env));

  it('knows a console on loopback by loopback names and listed origins only', () => {
    const env = { HOSTNAME: '127.0.0.1', CONSOLE_ORIGINS: 'https://console.example' };
    for (const host of ['127.0.0.1:3000', 'localhost:8080', '[::1]:3000', 'console.example']) {
      expect(of(host, env)).toBe(true);
    }
    for (const host of ['elsewhere.example.org:3000', '127.0.0.1.elsewhere.example.org', 'localhost.example']) {
      expect(of(host, env)).toBe(false);
    }
  });

  it('asks nothing of one that listens on a network: there its names are not known', () => {
    for (const env of [{ HOSTNAME: '0.0.0.0' }, { HOSTNAME: 'console-7d9f' }, {}]) {
      expect(of('console.example', env)).toBe(true);
    }
  });
});

describe('takeToken', () => {
  it('lets a burst through, then makes this person wait, and nobody else', () => {
    for (let i = 0; i < 40; i++) expect(takeToken('hasty', 1_000)).toBe(0);
    expect(takeToken('hasty', 1_000)).toBe(1);
    expect(takeToken('calm', 1_000)).toBe(0);
    expect(takeToken('hasty', 1_250)).toBe(0);
    expect(takeToken('hasty', 1_250)).toBe(1);
  });
});
