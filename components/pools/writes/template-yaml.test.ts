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
    expect(parseTemplate(text)).toMatchObject({ problems: [{ line, message: expect.any(String) }] });
  });

  it.each(['', '- a\n', 'just text'])('refuses %j, which is no template', (text) => {
    expect(parseTemplate(text)).toMatchObject({ problems: [{ message: expect.any(String) }] });
  });
});
