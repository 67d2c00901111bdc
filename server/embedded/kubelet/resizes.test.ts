import { expect, it } from 'vitest';
import { nodeSchema, podSchema } from '../controllers/client/objects';
import { resizedStatus } from './resizes';

const metadata = { name: 'a', uid: 'u', resourceVersion: '1' };
const node = nodeSchema.parse({ metadata, status: { allocatable: { cpu: '4' } } });
const sized = (cpu: string) => ({ requests: { cpu }, limits: { cpu: '8' } });
const pod = (wanted: object, actual: object | undefined, conditions: object[] = []) =>
  podSchema.parse({
    metadata,
    spec: { containers: [{ name: 'main', resources: wanted }] },
    status: { conditions, containerStatuses: [{ name: 'main', resources: actual }] },
  });

it('gives a container what its spec wants now', () => {
  const status = resizedStatus(pod(sized('2'), sized('1')), node);
  expect(status?.containerStatuses?.[0]?.resources).toEqual(sized('2'));
  expect(resizedStatus(pod(sized('2'), sized('2000m')), node)).toBeUndefined();
  expect(resizedStatus(pod(sized('2'), undefined), node)).toBeUndefined();
});

it('says once that the node is too small, and no longer when it fits', () => {
  const status = resizedStatus(pod(sized('5'), sized('1')), node);
  const [condition] = status?.conditions ?? [];
  expect(condition).toMatchObject({
    type: 'PodResizePending',
    status: 'True',
    reason: 'Infeasible',
    message: "Node didn't have enough capacity: cpu, requested: 5000, capacity: 4000",
  });
  expect(status?.containerStatuses?.[0]?.resources).toEqual(sized('1'));
  const told = [condition ?? {}];
  expect(resizedStatus(pod(sized('5'), sized('1'), told), node)).toBeUndefined();
  expect(resizedStatus(pod(sized('3'), sized('1'), told), node)?.conditions).toEqual([]);
});
