import type { StructuralSchema } from '../schema/structural-schema';
import type { Column } from '../tables/column';
import type { Cause } from './causes';
import type { DraftObject } from './decode';
import type { Fields, KubeObject } from './objects';
import type { OtherShape } from './shapes';
import type { Subresource } from './subresources';
import type { Part } from './update';

/** A resource the server serves; built-in kinds and CustomResourceDefinitions alike are data of this shape. */
export interface KindDefinition extends KindRules {
  group: string;
  version: string;
  kind: string;
  listKind: string;
  plural: string;
  singular: string;
  shortNames: readonly string[];
  categories?: readonly string[];
  namespaced: boolean;
  verbs: readonly string[];
  subresources: readonly Subresource[];
  /** Where its objects keep the numbers of a Scale, for the subresource `scale`. */
  scale?: ScalePaths;
  /** Whether the server counts generations. */
  generation: boolean;
  /** Field selectors besides metadata.name and metadata.namespace, as paths. */
  fieldSelectors: readonly string[];
  /** Where its objects are, when they are stored in the shape of another kind. */
  storedAs?: OtherShape;
  /** The columns of its Tables. */
  columns: readonly Column[];
  /** What is in its objects: which fields, and how lists are owned and merged. */
  schema: StructuralSchema;
  /** Custom resources know no strategic merge patch, and are refused in other words than built-in kinds. */
  isCustom?: boolean;
}

/** Paths in an object. */
export interface ScalePaths {
  specReplicas: readonly string[];
  statusReplicas: readonly string[];
  /** Of the label selector, as text. */
  selector?: readonly string[];
}

/** What a kind does beyond what every kind does. */
export interface KindRules {
  /** What its names may be, where that is not a DNS subdomain: a DNS label, or anything that fits into a path. */
  names?: 'label' | 'path';
  /** Why a body is no object of the kind (`kind`), in the decoder's words; undefined when it is one. */
  problem?(raw: Fields, kind: string): string | undefined;
  /** The object without unknown fields (each one's path is added to `unknown`) and with defaults. */
  decode?(object: DraftObject, unknown: string[]): DraftObject;
  /** What creating adds, such as the first status. */
  prepare?(object: KubeObject): KubeObject;
  /** What every write of the object itself puts into its stored form; `old` is the stored one of an update. */
  normalize?(object: KubeObject, old: KubeObject | undefined): KubeObject;
  /** What every write of the status puts into its stored form. */
  normalizeStatus?(status: unknown): unknown;
  /** The object with what the subresource `resize` takes of a draft. */
  resize?(draft: DraftObject, old: KubeObject): KubeObject;
  /** Adds the reasons why the object makes no sense. */
  validate?(object: KubeObject, old: KubeObject | undefined, part: Part, causes: Cause[]): void;
  /** What a field selector compares, where that is not the text at its path. */
  selected?(object: KubeObject, path: string): string | undefined;
  /** Seconds an object may take to go (graceful deletion); `asked` is what the client wants. */
  grace?(object: KubeObject, asked: number | undefined): number;
  /** Whether something other than finalizers keeps an object that is marked for deletion. */
  isHeld?(object: KubeObject): boolean;
  /** What the deletion mark changes besides the metadata. */
  terminate?(marked: KubeObject): KubeObject;
}

/** `<plural>.<group>`: the name of the CustomResourceDefinition, and of most collections in the storage. */
export function idOf({ group, plural }: Pick<KindDefinition, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

export function apiVersionOf({ group, version }: Pick<KindDefinition, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}
