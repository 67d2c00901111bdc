import { describe, expect, it } from 'vitest';
import { completionsAt } from './patch-completion';
import { templateNames } from './template-names';
import { yamlPlace } from './yaml-place';

/** The place of `|` in a text. */
const place = (text: string) => yamlPlace(text.replace('|', ''), text.indexOf('|'));

describe('yamlPlace', () => {
  it.each([
    ['|', [], undefined],
    ['sp|', [], undefined],
    ['spec:\n  |', ['spec'], undefined],
    ['spec:\n  containers:\n    - na|', ['spec', 'containers', '[]'], undefined],
    ['spec:\n  containers:\n  - na|', ['spec', 'containers', '[]'], undefined],
    ['spec:\n  containers:\n  - name: x\n    im|', ['spec', 'containers', '[]'], undefined],
    [
      'spec:\n  containers:\n    - name: x\n      env:\n        - name: |',
      ['spec', 'containers', '[]', 'env', '[]'],
      'name',
    ],
    [
      'spec:\n  containers:\n    - name: x\n      env:\n      - name: A\n      |',
      ['spec', 'containers', '[]'],
      undefined,
    ],
    ['spec:\n  containers:\n    - name: x\n    - name: |', ['spec', 'containers', '[]'], 'name'],
    ['spec:\n  containers:\n    - name: x\n  volumes:\n    - |', ['spec', 'volumes', '[]'], undefined],
    ['# note\nspec:\n\n  containers:\n    # first\n    - $patch: de|', ['spec', 'containers', '[]'], '$patch'],
    ['metadata:\n  labels: {}\nspec:\n  |', ['spec'], undefined],
  ])('knows where %j stands', (text, path, key) => {
    expect(place(text)).toMatchObject({ path, ...(key === undefined ? {} : { key }) });
  });
});

const names = templateNames([
  {
    before: {
      spec: {
        containers: [
          {
            name: 'main',
            image: 'code:v1',
            env: [{ name: 'MODE', value: 'x' }],
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          },
        ],
        volumes: [{ name: 'data' }, { name: 'tmp' }],
      },
    },
  },
]);
const offered = (text: string) =>
  completionsAt(text.replace('|', ''), text.indexOf('|'), names).options.map(({ label }) => label);

describe('completionsAt', () => {
  it('offers the fields of the object that is typed', () => {
    expect(offered('|')).toEqual(['metadata', 'spec']);
    expect(offered('spec:\n  |')).toContain('containers');
    expect(offered('spec:\n  containers:\n    - name: main\n      |')).toContain('volumeMounts');
    expect(offered('spec:\n  nonsense:\n    |')).toEqual([]);
  });

  it('offers the names that the templates have', () => {
    expect(offered('spec:\n  containers:\n    - name: |')).toEqual(['main']);
    expect(offered('spec:\n  containers:\n    - name: main\n      image: |')).toEqual(['code:v1']);
    expect(offered('spec:\n  containers:\n    - name: main\n      env:\n        - name: |')).toEqual(['MODE']);
    expect(offered('spec:\n  containers:\n    - name: main\n      volumeMounts:\n        - mountPath: |')).toEqual([
      '/data',
    ]);
    expect(offered('spec:\n  containers:\n    - name: main\n      volumeMounts:\n        - name: |')).toEqual([
      'data',
      'tmp',
    ]);
    expect(offered('spec:\n  volumes:\n    - $patch: |')).toEqual(['delete', 'replace']);
  });
});
