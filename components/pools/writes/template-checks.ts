import { type ImageFault, imageFault, isDigestPinned } from '@/lib/domain/images';
import { parseQuantity } from '@/lib/domain/quantities';
import type { Template } from '@/lib/domain/templates';
import { type ContainerView, containerViews } from './template-edits';

export type FieldCode = 'imageEmpty' | 'imageSpace' | 'envEmpty' | 'envTwice' | 'quantity' | 'aboveLimit';
/** A field of the form, such as `containers/python/env/2`, and what is wrong with it. */
export type FieldProblem =
  | { field: string; code: FieldCode }
  /** The API server takes it, and then nothing works: sent only when the person insists. */
  | { field: string; code: `image.${ImageFault}`; warning: true };

export const fieldOf = (container: Pick<ContainerView, 'init' | 'name'>, ...rest: (string | number)[]) =>
  [container.init ? 'initContainers' : 'containers', container.name, ...rest].join('/');

/** What can be told without asking the cluster. */
export function checkTemplate(template: Template): FieldProblem[] {
  return containerViews(template).flatMap((container) => [
    ...checkImage(container),
    ...checkEnv(container),
    ...checkResources(container),
  ]);
}

function checkImage(container: ContainerView): FieldProblem[] {
  const field = fieldOf(container, 'image');
  if (container.image.trim() === '') return [{ field, code: 'imageEmpty' }];
  if (/\s/.test(container.image)) return [{ field, code: 'imageSpace' }];
  const fault = imageFault(container.image);
  return fault ? [{ field, code: `image.${fault}`, warning: true }] : [];
}

function checkEnv(container: ContainerView): FieldProblem[] {
  return container.env.flatMap((entry, i): FieldProblem[] => {
    const field = fieldOf(container, 'env', i);
    if (entry.name.trim() === '') return [{ field, code: 'envEmpty' }];
    const first = container.env.findIndex((other) => other.name === entry.name);
    return first < i ? [{ field, code: 'envTwice' }] : [];
  });
}

function checkResources(container: ContainerView): FieldProblem[] {
  const found: FieldProblem[] = [];
  for (const resource of ['cpu', 'memory'] as const) {
    const numbers = { requests: undefined as number | undefined, limits: undefined as number | undefined };
    for (const side of ['requests', 'limits'] as const) {
      const text = container.resources[side][resource];
      const number = text === '' ? undefined : parseQuantity(text);
      if (text !== '' && (number === undefined || number < 0)) {
        found.push({ field: fieldOf(container, side, resource), code: 'quantity' });
      } else {
        numbers[side] = number;
      }
    }
    if (numbers.requests !== undefined && numbers.limits !== undefined && numbers.requests > numbers.limits) {
      found.push({ field: fieldOf(container, 'requests', resource), code: 'aboveLimit' });
    }
  }
  return found;
}

/** Init containers whose image is pinned by digest: a sandbox made of it may never resume (domain T1). */
export function digestPinnedInits(template: Template): string[] {
  return containerViews(template)
    .filter((container) => container.init && isDigestPinned(container.image))
    .map((container) => container.name);
}
