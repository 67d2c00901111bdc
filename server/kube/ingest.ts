import 'server-only';
import { z } from 'zod';
import { imagesOf, record } from '@/lib/domain/read';
import { lastApplied, secretAnnotations } from '@/lib/domain/redact';

const listed = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    uid: z.string(),
    resourceVersion: z.string().optional(),
    annotations: z.record(z.string(), z.unknown()).nullish(),
  }),
});

/** Names one version of one object, and holds the object without secrets. */
export interface Ingested {
  /** `namespace/name`; `/name` for kinds without a namespace. */
  key: string;
  namespace: string;
  name: string;
  uid: string;
  /** Opaque: compared for equality only. */
  version: string | undefined;
  object: unknown;
}

/** Never let in, so that nothing further on can stream, store or log it. */
const isDropped = (annotation: string) => secretAnnotations.has(annotation) || annotation === lastApplied;

/** Undefined for what is no object with a name and a uid. */
export function ingest(raw: unknown): Ingested | undefined {
  const parsed = listed.safeParse(raw);
  if (!parsed.success) return undefined;
  const { annotations, ...metadata } = parsed.data.metadata;
  const kept = annotations && Object.entries(annotations).filter(([name]) => !isDropped(name));
  const namespace = metadata.namespace ?? '';
  return {
    key: `${namespace}/${metadata.name}`,
    namespace,
    name: metadata.name,
    uid: metadata.uid,
    version: metadata.resourceVersion,
    object: {
      ...parsed.data,
      metadata: { ...metadata, ...(kept ? { annotations: Object.fromEntries(kept) } : {}) },
    },
  };
}

const longestAnnotation = 1_000;
const retainedShape = z.looseObject({
  metadata: z.looseObject({ annotations: z.record(z.string(), z.unknown()).optional() }),
  spec: z.looseObject({}).optional(),
});

/**
 * The part of a sandbox that its row is made from, as text: one string a sandbox is a third of the memory of
 * the object, and nothing for the garbage collector to walk through. Pod templates, managedFields and long
 * annotations are most of an object and none of a row.
 */
export function retained(object: unknown): string {
  const { metadata, spec, ...rest } = retainedShape.parse(object);
  const { managedFields: _fields, annotations = {}, ...named } = metadata;
  const { template, volumeClaimTemplates: _volumes, ...asked } = spec ?? {};
  // Of a template the row tells that there is one, and what its next Pod would be held up by.
  const initContainers = imagesOf(record(record(template).spec).initContainers);
  const kept = initContainers.length > 0 ? { spec: { initContainers } } : {};
  const wanted = template === undefined || template === null ? asked : { ...asked, template: kept };
  const short = Object.entries(annotations).filter(([, value]) => String(value).length <= longestAnnotation);
  return JSON.stringify({ ...rest, metadata: { ...named, annotations: Object.fromEntries(short) }, spec: wanted });
}

/** One page of a list, or the head of it. */
export const listPage = z.looseObject({
  metadata: z.looseObject({ resourceVersion: z.string(), continue: z.string().optional() }),
  items: z.array(z.unknown()).nullable(),
});

/** One line of a watch. */
export const watchEvent = z.object({
  type: z.string(),
  object: z.unknown(),
});

/** All that a bookmark carries. */
export const bookmark = z.looseObject({ metadata: z.looseObject({ resourceVersion: z.string() }) });
