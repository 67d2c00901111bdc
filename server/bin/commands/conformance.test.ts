import { describe, expect, it } from 'vitest';
import { conformanceOptions } from './conformance.mjs';

describe('flags of npm run conformance', () => {
  it('takes paths as they were typed', () => {
    expect(conformanceOptions(['--recording', '/a/b.jsonl'])).toEqual({ recording: '/a/b.jsonl' });
  });

  it('refuses a suite that does not exist', () => {
    expect(() => conformanceOptions(['--only', 'nothing'])).toThrow('--only takes api, recordings, documents or fuzz');
  });

  it('fuzzes the embedded server alone, as far as it is told', () => {
    const options = { only: 'fuzz', requests: 3000, seed: 7 };
    expect(conformanceOptions(['--only', 'fuzz', '--requests', '3000', '--seed', '7'])).toEqual(options);
    expect(() => conformanceOptions(['--only', 'fuzz', '--kubeconfig', '/a'])).toThrow('--only fuzz asks the embedded');
    expect(() => conformanceOptions(['--only', 'fuzz', '--requests=few'])).toThrow('--requests takes a whole number');
  });

  it('records from a real API server alone', () => {
    expect(() => conformanceOptions(['--record'])).toThrow('--record needs --kubeconfig.');
  });
});
