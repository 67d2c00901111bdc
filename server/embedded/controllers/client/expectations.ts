import type { KubeObject } from './objects';

const timeoutMs = 60_000;

/**
 * Own writes that the local copy has not shown yet. A reconcile on an older copy would repeat them, so it waits, for at most
 * a minute. Versions of one kind are compared as the integers that Kubernetes documents them to be.
 */
export class WriteExpectations {
  private readonly expected = new Map<string, { uid: string; version: bigint; until: number }>();

  /** `missingIsSeen` false: the write created the object, so a copy without it is an old one. */
  constructor(private readonly missingIsSeen = true) {}

  wrote(key: string, object: KubeObject): void {
    this.expected.set(key, {
      uid: object.metadata.uid,
      version: BigInt(object.metadata.resourceVersion),
      until: Date.now() + timeoutMs,
    });
  }

  /** True when the copy is at least as new as the last own write of the key. */
  seen(key: string, copy: KubeObject | undefined): boolean {
    const expected = this.expected.get(key);
    if (expected === undefined) return true;
    const shown =
      copy === undefined
        ? this.missingIsSeen
        : copy.metadata.uid !== expected.uid || BigInt(copy.metadata.resourceVersion) >= expected.version;
    const done = shown || Date.now() > expected.until;
    if (done) this.expected.delete(key);
    return done;
  }

  forget = (key: string): void => void this.expected.delete(key);
  forgetAll = (): void => this.expected.clear();
}

/** Objects created or deleted by a controller that its local copy does not show yet, per owner key. */
export class SetExpectations {
  private readonly creates = new Map<string, Map<string, number>>();
  private readonly deletes = new Map<string, Map<string, number>>();

  created = (owner: string, uid: string): void => add(this.creates, owner, uid);
  deleted = (owner: string, uid: string): void => add(this.deletes, owner, uid);

  /** The copy shows the object (or has shown and lost it). */
  observedCreate = (owner: string, uid: string): void => void this.creates.get(owner)?.delete(uid);
  observedDelete = (owner: string, uid: string): void => {
    this.creates.get(owner)?.delete(uid);
    this.deletes.get(owner)?.delete(uid);
  };

  /** What is still unseen and not older than a minute. */
  pending(owner: string): { creates: number; deletes: number } {
    return { creates: live(this.creates.get(owner)), deletes: live(this.deletes.get(owner)) };
  }

  forget(owner: string): void {
    this.creates.delete(owner);
    this.deletes.delete(owner);
  }

  forgetAll(): void {
    this.creates.clear();
    this.deletes.clear();
  }
}

function add(map: Map<string, Map<string, number>>, owner: string, uid: string): void {
  const uids = map.get(owner) ?? new Map<string, number>();
  uids.set(uid, Date.now() + timeoutMs);
  map.set(owner, uids);
}

function live(uids: Map<string, number> | undefined): number {
  if (uids === undefined) return 0;
  for (const [uid, until] of uids) if (until < Date.now()) uids.delete(uid);
  return uids.size;
}
