import { expect, it } from 'vitest';
import type { PodDigest } from '@/lib/domain/facts';
import { now, sandbox } from '@/lib/domain/rows.testing';
import type { Adoption } from '../history/adoptions';
import { followPods } from './pods';

const pod = (uid: string): PodDigest => ({ uid, ns: 'agents', name: 'a', phase: 'Running', containers: [] }) as never;
const row = sandbox({ op: 'up', upgraded: true, gen: 3, obs: 3 });
const seen = (uid: string | undefined) => ({ row, pod: uid === undefined ? undefined : pod(uid), template: undefined });

it('a Pod that comes after the upgrade is done, as when its user resumes it, is not the one that the upgrade made', () => {
  const adoption: Pick<Adoption, 'pods' | 'record'> = {
    pods: { before: { uid: 'old', gone: now - 9_000 }, after: { uid: 'new', since: now - 8_000 } },
    record: { row, at: now },
  };
  followPods(adoption, { before: seen('new'), after: seen(undefined), live: true }, now);
  followPods(adoption, { before: seen(undefined), after: seen('resumed'), live: true }, now);
  expect(adoption.pods.after).toEqual({ uid: 'new', since: now - 8_000 });
  const working: Pick<Adoption, 'pods' | 'record'> = { pods: { before: { uid: 'old' } } };
  followPods(working, { before: seen(undefined), after: seen('new'), live: true }, now);
  expect(working.pods.after).toMatchObject({ uid: 'new', since: now });
});
