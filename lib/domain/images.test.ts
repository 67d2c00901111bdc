import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareImages, imageFault, imagesEqual, isDigestPinned, normalizeImage, parseImageReference } from './images';

const digest = `sha256:${'1'.repeat(64)}`;
const id = `sha256:${'2'.repeat(64)}`;

describe('normalizeImage', () => {
  it.each([
    ['nginx', 'docker.io/library/nginx:latest'],
    ['nginx:1.27', 'docker.io/library/nginx:1.27'],
    ['docker.io/nginx', 'docker.io/library/nginx:latest'],
    ['index.docker.io/team/app', 'docker.io/team/app:latest'],
    ['team/app', 'docker.io/team/app:latest'],
    ['localhost/app', 'localhost/app:latest'],
    ['reg:5000/app', 'reg:5000/app:latest'],
    ['reg.local/x/runtime:v1', 'reg.local/x/runtime:v1'],
    [`reg.local/x/runtime@${digest}`, `reg.local/x/runtime@${digest}`],
    [`reg.local/x/runtime:v1@${digest}`, `reg.local/x/runtime:v1@${digest}`],
    [`nginx@${digest}`, `docker.io/library/nginx@${digest}`],
    // A bare id is a repository called "sha256" to the controller.
    [id, `docker.io/library/${id}`],
    ['[2001:db8::1]:5000/app', '[2001:db8::1]:5000/app:latest'],
  ])('%s', (written, full) => {
    expect(normalizeImage(written)).toBe(full);
  });

  it.each([
    '',
    'Nginx',
    'a//b',
    'a/',
    '/a',
    'a:',
    'a@sha256:short',
    '1'.repeat(64),
    'a b',
    'reg.local/A/b',
    `a:${'t'.repeat(129)}`,
  ])('%j is no reference and stays as it is', (written) => {
    expect(parseImageReference(written)).toBeUndefined();
    expect(normalizeImage(written)).toBe(written);
  });
});

describe('imageFault', () => {
  it.each([
    ['UPPER/Case:1', 'upperCase'],
    ['python-tools:', 'tagEmpty'],
    ['@sha256:abc', 'noName'],
    ['', 'noName'],
    ['app@sha256:abc', 'digest'],
    ['app:-1', 'tag'],
    ['a//b', 'part'],
    ['reg_x.local/app', 'registry'],
    ['1'.repeat(64), 'bareId'],
    ['a'.repeat(256), 'long'],
    ['registry.local/agents/python-tools:3.13', undefined],
  ])('%s: %s', (text, fault) => expect(imageFault(text)).toBe(fault));
});

describe('imagesEqual', () => {
  it.each([
    ['nginx', 'docker.io/library/nginx:latest', true],
    ['reg.local/x/runtime:v1', 'reg.local/x/runtime:v1', true],
    [`reg.local/x/runtime:v1@${digest}`, id, false],
    [`reg.local/x/runtime@${digest}`, 'reg.local/x/runtime:v1', false],
    ['reg.local/x/runtime:v1', 'reg.local/x/runtime:other', false],
  ])('%s and %s: %s', (spec, status, equal) => {
    expect(imagesEqual(spec, status)).toBe(equal);
  });

  it('is reflexive for any text, and normalising twice changes nothing', () => {
    const name = fc.stringMatching(/^[a-z0-9]{1,8}([._-][a-z0-9]{1,4})?$/);
    const image = fc
      .tuple(
        fc.option(fc.constantFrom('reg.local', 'localhost:5000', 'docker.io')),
        fc.array(name, { minLength: 1, maxLength: 3 }),
        fc.option(name),
      )
      .map(([registry, path, tag]) => `${registry ? `${registry}/` : ''}${path.join('/')}${tag ? `:${tag}` : ''}`);
    fc.assert(
      fc.property(fc.oneof(image, fc.string()), (text) => {
        expect(imagesEqual(text, text)).toBe(true);
        expect(normalizeImage(normalizeImage(text))).toBe(normalizeImage(text));
      }),
    );
  });
});

describe('compareImages', () => {
  it('tells an image id from a reference, and that the two never meet', () => {
    const result = compareImages(`reg.local/x/runtime:v1@${digest}`, id);
    expect(result).toMatchObject({
      equal: false,
      never: true,
      spec: { kind: 'reference', reference: { registry: 'reg.local', tag: 'v1', digest, added: [] } },
      status: {
        kind: 'image-id',
        reference: { registry: 'docker.io', repository: 'library/sha256', added: ['registry', 'library'] },
      },
      differs: ['registry', 'repository', 'tag', 'digest'],
    });
  });

  it.each([
    ['another tag of the same repository', 'reg.local/x:v1', 'reg.local/x:v2', ['tag'], true],
    ['a tag for a digest', `reg.local/x@${digest}`, 'reg.local/x:v1', ['tag', 'digest'], true],
    ['another repository', 'reg.local/x:v1', 'mirror.local/x:v1', ['registry'], false],
    ['nothing that parses', 'A', 'B', [], false],
    ['the same', 'nginx', 'docker.io/library/nginx:latest', [], false],
  ])('%s', (_, spec, status, differs, never) => {
    expect(compareImages(spec, status)).toMatchObject({ differs, never });
  });
});

describe('isDigestPinned', () => {
  it('is about what is written', () => {
    expect(isDigestPinned(`reg.local/x:v1@${digest}`)).toBe(true);
    expect(isDigestPinned('reg.local/x:v1')).toBe(false);
    expect(isDigestPinned('not an image')).toBe(false);
  });
});
