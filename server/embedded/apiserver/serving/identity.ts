import { randomBytes } from 'node:crypto';
import type { Storage } from '../core/storage';
import { type Certificate, loopbackCertificate } from './certificate';

/** What a server is known by: its certificate, and the key that signs its tokens. */
export interface Identity {
  certificate: Certificate;
  tokenKey: Buffer;
}

const identities = new WeakMap<Storage, Identity>();

/** Stays the same when a server is started again on its data, so clients and tokens go on. */
export function identityOf(storage: Storage): Identity {
  const known = identities.get(storage);
  if (known !== undefined) return known;
  const made = { certificate: loopbackCertificate(), tokenKey: randomBytes(32) };
  identities.set(storage, made);
  return made;
}
