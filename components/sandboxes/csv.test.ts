import { describe, expect, it } from 'vitest';
import type { SandboxRow } from '@/lib/contracts/rows';
import { standardLimits } from '@/lib/domain/limits';
import { csvField, sandboxesCsv } from './csv';

const now = Date.UTC(2026, 10, 30, 3, 7, 5);
const row: SandboxRow = {
  uid: 'u1',
  ns: 'agents-prod',
  name: 'python-tools-k7m2x',
  phase: 'Resuming',
  state: 'Resuming',
  since: now - 848_000,
  sinceFrom: 'condition',
  pool: 'python-tools',
  hash: '7c9f41d',
  claimed: true,
  owner: 'team-atlas',
  restarts: 0,
};
const context = {
  now,
  limits: standardLimits,
  pools: new Map([['agents-prod/python-tools', { revision: '7c9f41d' }]]),
};

/** As a spreadsheet reads it: quotes undone, fields apart. */
function parse(csv: string): Record<string, string>[] {
  const lines = csv.replace('\uFEFF', '').trimEnd().split('\r\n');
  const fields = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) => (m[1] ?? m[2] ?? '').replaceAll('""', '"'));
  const heads = fields(lines[0] ?? '');
  return lines.slice(1).map((line) => Object.fromEntries(fields(line).map((field, i) => [heads[i], field])));
}

describe('csvField', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1'])('disarms %j', (text) => {
    expect(csvField(text)).toBe(`"'${text}"`);
  });

  it('quotes what would break the line and doubles quotes', () => {
    expect(csvField('a,b')).toBe('"a,b"');
    expect(csvField('say "no"')).toBe('"say ""no"""');
    expect(csvField('two\nlines')).toBe('"two\nlines"');
    expect(csvField('plain-name')).toBe('plain-name');
  });

  it('writes numbers and booleans as they are and leaves the unknown empty', () => {
    expect([csvField(0), csvField(-3), csvField(false), csvField(undefined)]).toEqual(['0', '-3', 'false', '']);
  });
});

describe('sandboxesCsv', () => {
  it('says what the list says, with clocks and raw values', () => {
    const [read] = parse(sandboxesCsv([row], context));
    expect(read).toMatchObject({
      namespace: 'agents-prod',
      name: 'python-tools-k7m2x',
      state: 'Resuming',
      since: '2026-11-30T02:52:57.000Z',
      since_from: 'condition',
      dwell_seconds: '848',
      severity: 'breach',
      revision_is: 'current',
      restarts: '0',
      node: '',
      shutdown_time: '',
    });
  });

  it('keeps a hostile owner and message inert', () => {
    const [read] = parse(sandboxesCsv([{ ...row, owner: '=HYPERLINK("http://x","y")', message: 'a,"b"' }], context));
    expect(read?.owner).toBe(`'=HYPERLINK("http://x","y")`);
    expect(read?.message).toBe('a,"b"');
  });

  it('has one line a row', () => {
    expect(parse(sandboxesCsv([row, { ...row, name: 'b' }], context)).map((each) => each.name)).toEqual([
      'python-tools-k7m2x',
      'b',
    ]);
  });
});
