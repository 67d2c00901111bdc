import fc from 'fast-check';

const text = fc.string({ unit: 'binary', maxLength: 12 });

const QUERY: Record<string, fc.Arbitrary<string>> = {
  dryRun: fc.constantFrom('All', 'Some', ''),
  fieldValidation: fc.constantFrom('Strict', 'Warn', 'Ignore', 'Never'),
  fieldManager: fc.oneof(fc.constantFrom('fuzz', ''), text, fc.constant('x'.repeat(200))),
  force: fc.constantFrom('true', 'false', 'perhaps'),
  limit: fc.constantFrom('0', '1', '2', '-1', 'x', '99999999999999999999'),
  continue: fc.oneof(
    fc.constantFrom('x', '', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiYVx1MDAwMCJ9'),
    fc.base64String(),
    fc.json().map((json) => Buffer.from(json).toString('base64url')),
  ),
  resourceVersion: fc.constantFrom('0', '1', '5', '', '-1', 'x', '999999999999', '1e3', ' 7'),
  resourceVersionMatch: fc.constantFrom('Exact', 'NotOlderThan', 'x'),
  labelSelector: fc.oneof(
    fc.constantFrom(
      'app=fuzz',
      'app in (fuzz,x)',
      '!app',
      'app notin ()',
      'constructor',
      '__proto__=x',
      'a=b,,',
      '(',
      'app!=',
      'x>1',
    ),
    text,
  ),
  fieldSelector: fc.oneof(
    fc.constantFrom(
      'metadata.name=fuzz-a',
      'status.phase!=Running',
      'spec.nodeName=',
      '__proto__.x=1',
      'a\\,b=c',
      'metadata.name',
    ),
    text,
  ),
  watch: fc.constantFrom('true', '1', '', 'false', 'x'),
  allowWatchBookmarks: fc.constantFrom('true', 'false'),
  sendInitialEvents: fc.constantFrom('true', 'false', 'x'),
  timeoutSeconds: fc.constantFrom('1', '0', '-1', 'x', '99999999999999'),
  includeObject: fc.constantFrom('Metadata', 'Object', 'None', 'x'),
  gracePeriodSeconds: fc.constantFrom('0', '1', '-5', 'x'),
  propagationPolicy: fc.constantFrom('Orphan', 'Foreground', 'Background', 'x'),
  orphanDependents: fc.constantFrom('true', 'x'),
  pretty: fc.constantFrom('true', '1'),
  container: text,
  tailLines: fc.constantFrom('1', '-1', 'x'),
  __proto__x: text,
};

/** Up to four parameters, each with a value that it can have, or with one that it cannot. */
export const anyQuery = fc
  .array(
    fc
      .constantFrom(...Object.keys(QUERY))
      .chain((name) => (QUERY[name] ?? text).map((value): [string, string] => [name, value])),
    { maxLength: 4 },
  )
  .map((pairs) => new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString());
