import { z } from 'zod';
import type { KubeObject } from '@/lib/contracts/objects';
import { fields, listOf, text, texts, whole } from './lenient-shapes';
import type { ContainerReading, PodReading } from './object-readings';
import { record, text as textIn } from './read';

/** What the spec of a Sandbox asks for, which its Pod may not have yet: that is what an upgrade changes. */

const container = z.object({ name: z.string(), image: text, restartPolicy: text });
const hookShape = z
  .object({ exec: fields({ command: texts }), timeoutSeconds: whole })
  .optional()
  .catch(undefined);
const shape = fields({
  spec: fields({
    template: z
      .object({ spec: fields({ initContainers: listOf(container), containers: listOf(container) }) })
      .optional()
      .catch(undefined),
    lifecycle: fields({ preUpgrade: hookShape, postUpgrade: hookShape }),
  }),
});

export type AskedContainer = Pick<ContainerReading, 'name' | 'kind'> & { image: string | undefined };

/** Containers of spec.template, of a Sandbox or a SandboxTemplate; undefined without a template. */
export function askedContainers(object: KubeObject): AskedContainer[] | undefined {
  const pod = shape.parse(object).spec.template?.spec;
  return (
    pod && [
      ...pod.initContainers.map(({ name, image, restartPolicy }) => ({
        name,
        kind: restartPolicy === 'Always' ? ('sidecar' as const) : ('init' as const),
        image,
      })),
      ...pod.containers.map(({ name, image }) => ({ name, kind: 'main' as const, image })),
    ]
  );
}

/** spec.templateRef.name: a SandboxTemplate of the same namespace. */
export const templateRefOf = (object: unknown): string | undefined =>
  textIn(record(record(record(object).spec).templateRef).name);

export type ComparedContainer = Pick<ContainerReading, 'name' | 'kind'> &
  Partial<ContainerReading> & { asked: string | undefined };

/** Containers of the Pod with the image that is asked for, then those that are asked for and not in the Pod. */
export function compareAsked(pod: PodReading, asked: readonly AskedContainer[]): ComparedContainer[] {
  const there = new Set(pod.containers.map(({ name }) => name));
  const imageOf = new Map(asked.map(({ name, image }) => [name, image]));
  return [
    ...pod.containers.map((each) => ({ ...each, asked: imageOf.get(each.name) })),
    ...asked.filter(({ name }) => !there.has(name)).map(({ name, kind, image }) => ({ name, kind, asked: image })),
  ];
}

export interface FailedHook {
  which: 'preUpgrade' | 'postUpgrade';
  /** Undefined: the spec has no such hook now. */
  command: string | undefined;
  timeoutSeconds: number | undefined;
}

/** The default of the controller for a hook without timeoutSeconds (domain 4.6). */
export const defaultHookTimeoutSeconds = 60;

/** The hook that a stage names, with what spec.lifecycle says of it: the operation wrote that there (domain 6.1). */
export function failedHook(stage: string | undefined, object: KubeObject | undefined): FailedHook | undefined {
  const which = stage === 'PreUpgradeFailed' ? 'preUpgrade' : stage === 'PostUpgradeFailed' ? 'postUpgrade' : undefined;
  if (!which) return undefined;
  const hook = object && shape.parse(object).spec.lifecycle[which];
  return {
    which,
    command: hook?.exec.command.join(' '),
    timeoutSeconds: hook && (hook.timeoutSeconds ?? defaultHookTimeoutSeconds),
  };
}
