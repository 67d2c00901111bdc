import { describe, expect, it } from 'vitest';
import { parseTemplate, templateText } from './template-yaml';

const template = { spec: { containers: [{ name: 'main', image: 'a:1', args: ['--long', 'x'.repeat(200)] }] } };

describe('parseTemplate', () => {
  it('reads back what it wrote', () => {
    expect(parseTemplate(templateText(template))).toEqual({ template });
  });

  it.each([
    ['spec:\n  containers:\n    - name: a\n      image: [x', 4],
    ['spec:\n  containers:\n    - name: a\n      image: x\n      image: y\n', 5],
    ['spec:\n  containers:\n    - name: a\n      image: 3\n', 4],
    ['spec:\n  containers:\n    - name: a\n', 3],
    ['metadata: {}\nspec:\n  containers: []\n', 3],
    ['spec:\n  containers:\n    - name: a\n      image: x\n      env:\n        - name: B\n          value: true\n', 7],
  ])('names the line of what is wrong in %j', (text, line) => {
    expect(parseTemplate(text)).toMatchObject({ problems: [{ line }] });
  });

  it.each(['', '- a\n', 'just text'])('refuses %j, which is no template', (text) => {
    expect(parseTemplate(text)).toMatchObject({
      problems: [{ code: 'type', values: { field: 'template', expected: 'object' } }],
    });
  });

  it('keeps the order in which the keys were written', () => {
    const text = 'spec:\n  containers:\n    - image: a:1\n      args: []\n      name: main\nmetadata: {}\n';
    const parsed = parseTemplate(text);
    expect('template' in parsed && templateText(parsed.template)).toBe(text);
  });

  const main = 'spec:\n  containers:\n    - {name: a, image: x}\n';
  it.each([
    [`${main}  hostname: a\n  hostname: b\n`, { line: 5, code: 'duplicateKey', values: { field: 'hostname' } }],
    [`${main}\thostname: b\n`, { code: 'tab' }],
    [`${main}  hostname: "b\n`, { code: 'missingChar' }],
    [`${main}  hostname: @b\n`, { line: 4, code: 'quote' }],
    [`${main}  hostname: *b\n`, { line: 4, code: 'alias', values: { field: 'b' } }],
    [`${main}  nodeSelector: &b {c: *b}\n`, { line: 4, code: 'cycle', values: { field: 'b' } }],
    [`${main}---\nb: 1\n`, { code: 'documents' }],
    [
      'spec:\n  containers: 3\n',
      { line: 2, code: 'type', values: { field: 'spec.containers', expected: 'array', got: 'number' } },
    ],
    ['metadata: {}\n', { code: 'missing', values: { field: 'spec' } }],
    ['spec:\n  containers: []\n', { line: 2, code: 'empty', values: { field: 'spec.containers' } }],
  ])('tells what is wrong by a code and values: %j', (text, problem) => {
    expect(parseTemplate(text)).toMatchObject({ problems: [problem] });
  });
});
