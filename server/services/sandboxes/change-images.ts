import 'server-only';
import type { SandboxChange, SandboxTarget } from '@/lib/contracts/sandbox-writes';
import type { JsonPatchOp, Receipt } from '@/lib/contracts/writes';
import { pointer } from '@/lib/domain/json-diff';
import { list, record } from '@/lib/domain/read';
import type { ServiceContext } from '../context';
import { ok, type Result, refuse } from '../result';
import type { LiveSandbox } from './live-sandbox';
import { type How, patchSandbox } from './write';

type Image = Extract<SandboxChange, { action: 'changeImages' }>['images'][number];

const listOf = ({ init }: Image) => (init ? 'initContainers' : 'containers');
const fieldOf = (image: Image) => `spec.template.spec.${listOf(image)}[${image.container}].image`;

/**
 * Names other images in the sandbox's own template. The patch tests the name of each container at its place and the image that
 * the person saw. On its own it changes nothing that runs: the next Pod is made from it (domain 4.5).
 */
export function changeImages(
  ctx: ServiceContext,
  target: SandboxTarget,
  images: readonly Image[],
  how: How,
): Promise<Result<Receipt>> {
  const before = Object.fromEntries(images.map((image) => [fieldOf(image), image.from]));
  const after = Object.fromEntries(images.map((image) => [fieldOf(image), image.to]));
  const write = {
    action: 'changeImages' as const,
    summary: images
      .map(({ container, from, to }) => `${container}: ${from} → ${to}`)
      .join(', ')
      .slice(0, 200),
    before,
    after,
  };
  return patchSandbox(ctx, target, write, how, (live) => {
    const ops: JsonPatchOp[] = [];
    for (const image of images) {
      const found = opsOf(live, image);
      if (!found.ok) return found;
      ops.push(...found.value);
    }
    return ok({ ops, before, after });
  });
}

function opsOf({ spec, metadata }: LiveSandbox, image: Image): Result<JsonPatchOp[]> {
  const containers = list(record(record(spec.template).spec)[listOf(image)]).map(record);
  const index = containers.findIndex(({ name }) => name === image.container);
  const field = fieldOf(image);
  if (index < 0) {
    const values = { container: image.container, list: `spec.${listOf(image)}` };
    return refuse('validation', 'noSuchContainer', values, { applied: 'no' });
  }
  const now = containers[index]?.image;
  if (now === image.to) return ok([]);
  if ((now ?? '') !== image.from) {
    const values = {
      sandbox: metadata.name,
      field,
      now: String(now ?? 'none'),
      seen: image.from,
      manager: 'none',
      at: 'none',
    };
    return refuse('conflict', 'sandboxMoved', values, { applied: 'no' });
  }
  const at = ['spec', 'template', 'spec', listOf(image), String(index)];
  return ok([
    { op: 'test', path: pointer([...at, 'name']), value: image.container },
    ...(now === undefined ? [] : [{ op: 'test' as const, path: pointer([...at, 'image']), value: image.from }]),
    { op: 'add', path: pointer([...at, 'image']), value: image.to },
  ]);
}
