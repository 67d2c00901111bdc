import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patches } from './arbitraries.testing';
import { patchProblem } from './patch-check';
import { parsePatchYaml, patchYaml } from './patch-yaml';

describe('the text of a patch', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(patches, (patch) => {
        if (patchProblem(patch)) return;
        expect(parsePatchYaml(patchYaml(patch))).toEqual({ patch });
      }),
      { numRuns: 300 },
    );
  });

  it('keeps what YAML could take for something else', () => {
    const patch = { metadata: { labels: { a: 'no', b: '1e3', c: '0x10', d: ' x ', e: 'a: b', f: '2026-01-01' } } };
    expect(parsePatchYaml(patchYaml(patch))).toEqual({ patch });
  });

  it.each(['', '  \n', '# nothing yet', '{}'])('%j is the empty patch', (text) => {
    expect(parsePatchYaml(text)).toEqual({ patch: {} });
  });

  it('reads JSON', () => {
    expect(parsePatchYaml('{"spec": {"hostname": "a"}}')).toEqual({ patch: { spec: { hostname: 'a' } } });
  });

  it.each<[string, string, object]>([
    ['a text', 'spec', { code: 'patch', line: 1, fault: { code: 'notAnObject' } }],
    ['a list', '- a', { code: 'patch', line: 1, fault: { code: 'notAnObject' } }],
    [
      'a key twice',
      'spec:\n  hostname: a\n  hostname: b',
      { code: 'yaml', line: 3, column: 3, fault: { code: 'duplicateKey' } },
    ],
    ['an open bracket', 'spec:\n  containers: [a', { code: 'yaml', line: 2 }],
    ['a tab', 'spec:\n\thostname: a', { code: 'yaml', line: 2 }],
    ['an alias of nothing', 'spec: *a', { code: 'aliases', line: 1 }],
    ['an alias within itself', 'spec: &a\n  more: *a', { code: 'aliases', line: 2, column: 9 }],
    ['an alias of what is there', 'spec: &a\n  hostname: b\nmetadata: *a', { code: 'aliases', line: 3, column: 11 }],
    [
      'a whole manifest',
      'apiVersion: agents.kruise.io/v1alpha1\nkind: SandboxUpdateOps\nspec:\n  patch: {}',
      { code: 'manifest', kind: 'SandboxUpdateOps', line: 2 },
    ],
    [
      'a field that does not exist',
      'spec:\n  containers:\n    - name: app\n      imag: b',
      { code: 'patch', line: 4, fault: { code: 'unknownField', values: { field: 'imag', nearest: 'image' } } },
    ],
    [
      'an item without its key',
      'spec:\n  containers:\n    - name: app\n      env:\n        - value: x',
      { code: 'patch', line: 5, column: 11, fault: { path: 'spec.containers[app].env[0]' } },
    ],
    [
      'a number for a label with dots',
      'metadata:\n  labels:\n    a.b/c: "x"\n    a.b/d: 1',
      { code: 'patch', line: 4, fault: { path: 'metadata.labels.a.b/d' } },
    ],
  ])('%s is refused where it stands', (_, text, problem) => {
    const read = parsePatchYaml(text);
    expect('problems' in read && read.problems[0]).toMatchObject(problem);
  });

  it('a bomb of aliases does not go off', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i++)
      lines.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    const read = parsePatchYaml(lines.join('\n'));
    expect('problems' in read && read.problems[0]).toMatchObject({ code: 'aliases', line: 2 });
  });

  it('a text without end is not parsed', () => {
    expect(parsePatchYaml(`a: ${'x'.repeat(300_000)}`)).toMatchObject({ problems: [{ code: 'tooLarge' }] });
  });
});
