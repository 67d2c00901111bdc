import { sandboxSchema } from '../../controllers/client/objects';
import { findCondition } from '../../controllers/rules/conditions';
import { label } from '../../controllers/rules/keys';
import type { Seen } from './recording';

/** The objects of a run that stand for generated names of its recording: they look alike. */
export class Names {
  private readonly known = new Map<string, string>();

  here(name: string, before: Seen[], seen: Seen[]): string {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const original = before.findLast((event) => event.object.metadata.name === name && event.kind !== 'events');
    const twins = original === undefined ? [] : [...latest(seen, original.kind).values()];
    const used = new Set(this.known.values());
    const twin =
      twins.find(({ object }) => object.metadata.name === name) ??
      twins.find((event) => !used.has(event.object.metadata.name) && look(event) === look(original));
    const here = twin?.object.metadata.name ?? name;
    if (original !== undefined && twin === undefined)
      throw new Error(`nothing here looks like ${name}: ${look(original)}`);
    if (here !== name) this.known.set(name, here);
    return here;
  }
}

function latest(events: Seen[], kind: string): Map<string, Seen> {
  const result = new Map<string, Seen>();
  for (const event of events) {
    if (event.kind !== kind) continue;
    if (event.type === 'DELETED') result.delete(event.object.metadata.uid);
    else result.set(event.object.metadata.uid, event);
  }
  return result;
}

/** What tells generated objects of one kind apart. */
function look(event: Seen | undefined): string {
  if (event === undefined) return '';
  if (event.kind === 'checkpoints') return event.object.metadata.name.replace(/-[a-z0-9]+$/, '');
  const { metadata, status } = sandboxSchema.parse({ spec: {}, ...event.object });
  const ready = findCondition(status?.conditions, 'Ready')?.status;
  const owned = metadata.ownerReferences?.map(({ kind }) => kind).join();
  const wide = event.kind === 'pods' ? metadata.labels?.[label.owner] !== undefined : metadata.labels?.[label.claimed];
  return [wide, status?.phase, ready, owned].join(' ');
}
