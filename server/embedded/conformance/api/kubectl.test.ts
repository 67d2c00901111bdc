import { describe, expect, it } from 'vitest';
import { describedLines, tableRows } from './kubectl';

const table = (age: string) => `NAME        STATUS    AGE   MESSAGE
web-bc2mh   Running   ${age}   
web-qlhsv   Failed    ${age}   Pod Not Found
`;

describe('tables', () => {
  it('are the same whatever the age of their objects, and however wide that makes them', () => {
    const wider = table('2m3s').replace('AGE  ', 'AGE   ');
    expect(tableRows(wider, 'rec-1', 'get sbx')).toEqual(tableRows(table('18s'), 'rec-2', 'get sbx'));
  });

  it('differ by a cell and by a column', () => {
    const before = tableRows(table('1s'), 'rec-1', 'get sbx');
    expect(tableRows(table('1s').replace('Failed ', 'Pending'), 'rec-1', 'get sbx')).not.toEqual(before);
    expect(tableRows(table('1s').replace('STATUS', 'PHASE '), 'rec-1', 'get sbx')).not.toEqual(before);
  });

  it('of nodes are compared by their columns alone', () => {
    expect(tableRows(table('1s'), 'rec-1', 'get nodes')).toEqual({ columns: ['NAME', 'STATUS', 'AGE', 'MESSAGE'] });
  });
});

const description = (version: string, age: string, ...events: string[]) => `Name:       web
Metadata:
  Resource Version:    ${version}
Events:
  Type    Age   Message
${events.map((message) => `  Normal  ${age}   ${message}`).join('\n')}
`;

describe('descriptions', () => {
  it('are the same whatever the versions, the ages and the order of events', () => {
    const one = describedLines(description('1', '3s', 'a', 'b'), 'rec-1');
    expect(describedLines(description('22', '1m3s (x2 over 5m)', 'b', 'a'), 'rec-1')).toEqual(one);
  });

  it('differ by an event', () => {
    expect(describedLines(description('1', '3s', 'a'), 'rec-1')).not.toEqual(
      describedLines(description('1', '3s', 'b'), 'rec-1'),
    );
  });
});
