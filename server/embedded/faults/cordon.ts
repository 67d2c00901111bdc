import { z } from 'zod';
import { type Node, nodeSchema } from '../controllers/client/objects';
import { collectionPath, objectPath, resources } from '../controllers/client/resources';
import { simulatedNode } from '../kubelet/kubelet';
import type { End, Targets } from './fault';

const list = z.looseObject({ items: z.array(nodeSchema) });

/** The nodes that only exist here. */
export async function simulatedNodes({ api }: Pick<Targets, 'api'>): Promise<Node[]> {
  const { items } = list.parse(await api.get(collectionPath(resources.nodes)));
  return items.filter(({ metadata }) => metadata.labels?.[simulatedNode] === 'true');
}

/** Marks every simulated node unschedulable; nodes that somebody else had cordoned stay so. */
export async function cordon(targets: Pick<Targets, 'api'>): Promise<End> {
  const nodes = (await simulatedNodes(targets)).filter(({ spec }) => spec?.unschedulable !== true);
  const mark = (unschedulable: true | null) =>
    Promise.allSettled(
      nodes.map((node) => targets.api.patch(objectPath(resources.nodes, node), { spec: { unschedulable } })),
    );
  await mark(true);
  return async () => void (await mark(null));
}
