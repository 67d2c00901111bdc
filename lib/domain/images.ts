/**
 * Image references the way the controller reads them (domain 4.5; pkg/utils/inplaceupdate at snapshot 0b72c83a):
 * the grammar of Docker's distribution/reference, no resolution of tags to digests, no use of imageID.
 */

export interface ImageReference {
  registry: string;
  repository: string;
  tag?: string;
  digest?: string;
  /** Parts the normalisation added because they were not written. */
  added: ('registry' | 'library' | 'tag')[];
}

const host = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = new RegExp(String.raw`^(?:${host}(?:\.${host})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$`);
const component = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const tagText = /^\w[\w.-]{0,127}$/;
const digestText = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
const bareImageId = /^[a-f0-9]{64}$/;
const nameLimit = 255;

/** Why a text is no reference: nothing can be pulled by it, and the API server does not look. */
export const imageFaults = [
  'bareId',
  'noName',
  'registry',
  'tagEmpty',
  'tag',
  'digest',
  'upperCase',
  'part',
  'long',
] as const;
export type ImageFault = (typeof imageFaults)[number];

/** Undefined when the text is no reference: empty, upper case in the repository, a bare 64-digit id. */
export function parseImageReference(text: string): ImageReference | undefined {
  const read = readImage(text);
  return typeof read === 'string' ? undefined : read;
}

/** The first thing that is wrong with an image reference; undefined when nothing is. */
export function imageFault(text: string): ImageFault | undefined {
  const read = readImage(text);
  return typeof read === 'string' ? read : undefined;
}

function readImage(text: string): ImageReference | ImageFault {
  if (bareImageId.test(text)) return 'bareId';
  const at = text.indexOf('@');
  const digest = at < 0 ? undefined : text.slice(at + 1);
  const named = at < 0 ? text : text.slice(0, at);
  if (named === '') return 'noName';
  if (digest !== undefined && !digestText.test(digest)) return 'digest';

  const slash = named.indexOf('/');
  const first = slash < 0 ? '' : named.slice(0, slash);
  const hasRegistry = /[.:A-Z]/.test(first) || first === 'localhost';
  if (hasRegistry && !domain.test(first)) return 'registry';
  let registry = hasRegistry ? first : 'docker.io';
  if (registry === 'index.docker.io') registry = 'docker.io';

  const rest = hasRegistry ? named.slice(slash + 1) : named;
  const colon = rest.lastIndexOf(':');
  const tag = colon < 0 ? undefined : rest.slice(colon + 1);
  if (tag !== undefined && !tagText.test(tag)) return tag === '' ? 'tagEmpty' : 'tag';
  const path = colon < 0 ? rest : rest.slice(0, colon);
  if (!path.split('/').every((part) => component.test(part))) return /[A-Z]/.test(path) ? 'upperCase' : 'part';

  const added: ImageReference['added'] = [];
  if (!hasRegistry) added.push('registry');
  const inLibrary = registry === 'docker.io' && !path.includes('/');
  if (inLibrary) added.push('library');
  const repository = inLibrary ? `library/${path}` : path;
  if (`${registry}/${repository}`.length > nameLimit) return 'long';
  const reference: ImageReference = { registry, repository, added };
  if (digest !== undefined) reference.digest = digest;
  if (tag !== undefined) reference.tag = tag;
  else if (digest === undefined) {
    reference.tag = 'latest';
    added.push('tag');
  }
  return reference;
}

/** The full form, or the text itself when it is no reference. */
export function normalizeImage(text: string): string {
  const reference = parseImageReference(text);
  if (!reference) return text;
  const { registry, repository, tag, digest } = reference;
  return `${registry}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

export function imagesEqual(spec: string, status: string): boolean {
  return spec === status || normalizeImage(spec) === normalizeImage(status);
}

/** The image is written with a digest: containerd may report it under an id, and then it never compares equal. */
export function isDigestPinned(image: string): boolean {
  return parseImageReference(image)?.digest !== undefined;
}

/** What kind of identifier a text is; an image id names content, a reference names where to pull it. */
export type ImageKind = 'reference' | 'image-id' | 'unparsable';

export function imageKind(text: string): ImageKind {
  if (/^sha256:[0-9a-f]{64}$/.test(text) || bareImageId.test(text)) return 'image-id';
  return parseImageReference(text) ? 'reference' : 'unparsable';
}

export interface ImageSide {
  text: string;
  kind: ImageKind;
  /** As the controller reads it; a bare id parses as a repository called "sha256". */
  reference?: ImageReference;
}

export interface ImageComparison {
  equal: boolean;
  spec: ImageSide;
  status: ImageSide;
  /** Parts that differ after normalisation. */
  differs: ('registry' | 'repository' | 'tag' | 'digest')[];
  /** The two can never become equal: a bare id, or another tag or digest of the same repository. */
  never: boolean;
}

export function compareImages(spec: string, status: string): ImageComparison {
  const a = sideOf(spec);
  const b = sideOf(status);
  const equal = imagesEqual(spec, status);
  const differs = equal
    ? []
    : (['registry', 'repository', 'tag', 'digest'] as const).filter(
        (part) => a.reference?.[part] !== b.reference?.[part],
      );
  const sameRepository =
    a.reference !== undefined &&
    a.reference.registry === b.reference?.registry &&
    a.reference.repository === b.reference.repository;
  return { equal, spec: a, status: b, differs, never: !equal && (b.kind === 'image-id' || sameRepository) };
}

function sideOf(text: string): ImageSide {
  const reference = parseImageReference(text);
  return reference ? { text, kind: imageKind(text), reference } : { text, kind: imageKind(text) };
}
