import { createHash } from 'node:crypto';
import type { Container, PodTemplate, Sandbox, SandboxSet } from '../client/objects';

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Kubernetes' safe encoding of a hash: no vowels, so no words. */
export const safeEncode = (text: string): string =>
  [...text].map((char) => alphabet[char.charCodeAt(0) % alphabet.length] ?? '').join('');

/** JSON with sorted keys, so that the order in which a server stores fields does not matter. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const sha = (value: unknown): string =>
  safeEncode(createHash('sha256').update(stableJson(value)).digest('hex').slice(0, 9));

/** `sandbox.status.updateRevision` and the Pod's `pod-template-hash`; a reference is hashed itself, not what it names. */
export const sandboxRevision = (sandbox: Sandbox): string => sha(sandbox.spec.template ?? sandbox.spec.templateRef);

/** Hash of what an in-place update cannot change: the template without metadata, images and resources; or the reference. */
export function immutableHash({ template, templateRef }: Sandbox['spec']): string {
  if (template === undefined) return sha(templateRef);
  const strip = ({ image: _image, resources: _resources, ...rest }: Container) => rest;
  const { metadata, spec, ...others } = template;
  const { labels: _labels, annotations: _annotations, ...metadataRest } = metadata ?? {};
  return sha({
    ...others,
    metadata: metadataRest,
    spec: { ...spec, containers: spec?.containers?.map(strip), initContainers: spec?.initContainers?.map(strip) },
  });
}

function fnv1(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}

/** `sandboxset.status.updateRevision`; not comparable with a Sandbox's. */
export const poolRevision = (set: SandboxSet, template: PodTemplate): string =>
  safeEncode(
    String(
      fnv1(
        stableJson({
          template,
          volumeClaimTemplates: set.spec.volumeClaimTemplates,
          persistentContents: set.spec.persistentContents,
          runtimes: set.spec.runtimes,
          pauseStrategy: set.spec.pauseStrategy,
        }),
      ),
    ),
  );

/** The same before v0.4, of the template alone as the patch that restored it. */
export const legacyPoolRevision = (template: PodTemplate): string =>
  safeEncode(String(fnv1(stableJson({ spec: { template: { ...template, $patch: 'replace' } } }))));
