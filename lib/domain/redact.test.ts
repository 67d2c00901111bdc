import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { holdsMask, mask, redactObject, redactText } from './redact';

describe('redactObject', () => {
  const object = parse(readFileSync(path.join(import.meta.dirname, 'fixtures/secrets-in-annotations.yaml'), 'utf8'));
  const shown = redactObject(object);

  it('lets no secret through and keeps the rest', () => {
    expect(JSON.stringify(shown)).not.toContain('SECRET-');
    expect(shown.metadata).toMatchObject({
      labels: { 'agents.kruise.io/sandbox-id': 'kp3x9d2m7q1w9' },
      annotations: { 'agents.kruise.io/runtime-access-token': mask, 'note.example.net/ticket': 'OPS-1182' },
    });
    expect(shown.spec.template.spec.containers[0].env).toEqual([
      { name: 'API_TOKEN', value: mask },
      { name: 'LANG', value: 'C.UTF-8' },
    ]);
  });

  it('drops copies of the object and does not touch the original', () => {
    expect(shown.metadata.annotations).not.toHaveProperty('kubectl.kubernetes.io/last-applied-configuration');
    expect(redactObject({ metadata: { managedFields: [1], name: 'x' } })).toEqual({ metadata: { name: 'x' } });
    expect(JSON.stringify(object)).toContain('SECRET-runtime-71fd');
  });

  it('keeps references to Secrets, which are only names', () => {
    const env = [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'agents', key: 'token' } } }];
    expect(redactObject({ env })).toEqual({ env });
  });

  it('keeps switches that are named like a secret', () => {
    const annotations = { 'security.agents.kruise.io/enable-jwt-auth': 'true' };
    expect(redactObject({ annotations })).toEqual({ annotations });
  });

  it('keeps types that are not text', () => {
    const spec = {
      volumes: [{ projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3607 } }] } }],
      a: null,
      b: true,
    };
    expect(redactObject({ spec })).toEqual({ spec });
  });
});

describe('redactText', () => {
  it.each([
    ['Authorization: Bearer abcdefgh12345', `Authorization: Bearer ${mask}`],
    ['--password=hunter2 --verbose', `--password=${mask} --verbose`],
    ['access token: context deadline exceeded', 'access token: context deadline exceeded'],
    ['access token: 9f8e7d6c5b4a', `access token: ${mask}`],
    ['"token": "abc"', `"token": "${mask}"`],
    ['{"accessToken":"abc","x":1}', `{"accessToken":"${mask}","x":1}`],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln', mask],
    ['key e2b_0123456789abcdef0123', `key ${mask}`],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', mask],
    [
      '0/3 nodes are available: 3 node(s) had untolerated taint',
      '0/3 nodes are available: 3 node(s) had untolerated taint',
    ],
    ['hook failed with exit code 3, stderr: disk is full', 'hook failed with exit code 3, stderr: disk is full'],
  ])('%s', (text, shown) => {
    expect(redactText(text)).toBe(shown);
  });
});

it('holdsMask looks everywhere', () => {
  expect(holdsMask({ a: [{ b: `x${mask}` }] })).toBe(true);
  expect(holdsMask({ a: [{ b: 'x', c: null }] })).toBe(false);
});
