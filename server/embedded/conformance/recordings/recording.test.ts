import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnusableFile } from '../json-lines';
import { endOf, loadRecording } from './recording';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'recording-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function load(...lines: (object | string)[]) {
  const file = path.join(folder, 'own.jsonl');
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return loadRecording(file);
}

const head = { date: '2026-11-29T22:45:49Z', namespace: 'team-a', steps: [{ t: 3, action: 'kubectl delete sbx a' }] };
const event = (t: number, resourceVersion: string) => ({
  t,
  kind: 'sandboxes',
  type: 'ADDED',
  object: { metadata: { name: 'a', uid: 'u', resourceVersion } },
});

describe('a file of one’s own', () => {
  it('is read in the order in which the API server wrote', () => {
    const recording = load(head, event(2, '11'), event(1, '9'));
    expect(recording.events.map(({ t }) => t)).toEqual([1, 2]);
    expect(recording).toMatchObject({ name: 'own', namespace: 'team-a', start: Date.parse(head.date) });
    // The last step came a second after the last event.
    expect(endOf(recording)).toEqual({ at: 3, quiet: 1 });
  });

  it.each<[what: string, lines: (object | string)[], message: string]>([
    ['nothing', [], 'own.jsonl is empty'],
    ['no JSON', ['# notes'], 'own.jsonl, line 1: this is not JSON'],
    ['another thing', [{ kind: 'Pod' }], 'own.jsonl, line 1: no head of a scenario: date:'],
    ['a line that was cut', [head, event(1, '9'), '{"t": 2, "ki'], 'own.jsonl, line 3: this is not JSON'],
    [
      'an event that is none',
      [head, { ...event(1, '9'), type: 'BOOKMARK' }],
      'own.jsonl, line 2: no watch event: type:',
    ],
  ])('that holds %s is refused in one line', (_what, lines, message) => {
    expect(() => load(...lines)).toThrow(UnusableFile);
    expect(() => load(...lines)).toThrow(message);
    expect(() => load(...lines)).not.toThrow(/\n/);
  });

  it('that is not there is refused', () => {
    expect(() => loadRecording(path.join(folder, 'missing.jsonl'))).toThrow(UnusableFile);
  });
});
