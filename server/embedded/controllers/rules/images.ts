import type { Pod } from '../client/objects';

const domainPart = /^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::[0-9]+)?$/;
const pathPart = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const tagPart = /^[\w][\w.-]{0,127}$/;
const digestPart = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;

/**
 * A Docker reference in full: registry and `library/` are added, `:latest` only when there is neither tag nor digest; tag and
 * digest stay as written. What is no reference stays as it is.
 */
export function normalizeImage(image: string): string {
  const at = image.indexOf('@');
  const digest = at < 0 ? '' : image.slice(at + 1);
  const named = at < 0 ? image : image.slice(0, at);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const tag = hasTag ? named.slice(colon + 1) : '';
  const repository = hasTag ? named.slice(0, colon) : named;
  const slash = repository.indexOf('/');
  const first = slash < 0 ? '' : repository.slice(0, slash);
  const isDomain = first !== '' && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  const domain = isDomain ? first : 'docker.io';
  const rest = isDomain ? repository.slice(slash + 1) : repository;
  const path = domain === 'docker.io' && !rest.includes('/') ? `library/${rest}` : rest;
  const valid =
    domainPart.test(domain) &&
    pathPart.test(path) &&
    (!hasTag || tagPart.test(tag)) &&
    (at < 0 || digestPart.test(digest));
  if (!valid) return image;
  const suffix = hasTag || at >= 0 ? '' : ':latest';
  return `${domain}/${path}${hasTag ? `:${tag}` : ''}${at < 0 ? '' : `@${digest}`}${suffix}`;
}

export const sameImage = (a: string, b: string): boolean => a === b || normalizeImage(a) === normalizeImage(b);

/** Every init container reports the image of its spec: without it a resume never ends (trap T1 of the controller at 0b72c83a). */
export const initImagesConsistent = (pod: Pod): boolean =>
  (pod.spec.initContainers ?? []).every((container) => {
    const status = pod.status?.initContainerStatuses?.find(({ name }) => name === container.name);
    return status?.image !== undefined && sameImage(container.image ?? '', status.image);
  });
