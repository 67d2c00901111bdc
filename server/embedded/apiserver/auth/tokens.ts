import { createHmac, randomUUID } from 'node:crypto';
import { invalidValue } from '../core/causes';
import { numberOf, textOf } from '../core/objects';
import type { Principal } from '../core/principal';
import { badRequest, invalid, StatusError } from '../core/status';
import { type Storage, timestamp, type Version } from '../core/storage';
import { AUTHENTICATED, PEOPLE, serviceAccountGroups, serviceAccountIn, serviceAccountUser } from './people';

const AUDIENCE = 'https://kubernetes.default.svc';
const HEADER = encode({ alg: 'HS256', typ: 'JWT' });
const HOUR = 3_600;

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Bearer tokens: the fixed ones of the built-in people, and those that are made for service accounts. */
export class Tokens {
  readonly #storage: Storage;
  readonly #key: Buffer;
  readonly #people = new Map(PEOPLE.map(({ name, token }) => [name, token]));

  constructor(storage: Storage, key: Buffer) {
    this.#storage = storage;
    this.#key = key;
  }

  /** Whose token it is, or undefined when it is nobody's. */
  read(token: string): Principal | undefined {
    const person = PEOPLE.find(({ name }) => this.#people.get(name) === token);
    if (person !== undefined) {
      return { user: person.name, uid: person.name, groups: [...person.groups, AUTHENTICATED] };
    }
    const [header = '', payload = '', signature = ''] = token.split('.');
    if (signature === '' || signature !== this.#sign(`${header}.${payload}`)) return undefined;
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if ((numberOf(claims, 'exp') ?? 0) * 1_000 < Date.now()) return undefined;
    const account = serviceAccountIn(textOf(claims, 'sub'));
    if (account === undefined) return undefined;
    const { namespace, name } = account;
    const uid = textOf(claims, 'kubernetes.io', 'serviceaccount', 'uid');
    // The token dies with the account, also when another one of the name is made.
    if (this.#account(namespace, name)?.object.metadata.uid !== uid) return undefined;
    return {
      user: serviceAccountUser(namespace, name),
      uid,
      groups: [...serviceAccountGroups(namespace), AUTHENTICATED],
      extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${textOf(claims, 'jti')}`] },
    };
  }

  /** Gives a built-in person another token. */
  set(person: string, token: string): void {
    this.#people.set(person, token);
  }

  /** Answers a TokenRequest for a service account that exists. */
  request({ object }: Version, body: unknown): object {
    const seconds = numberOf(body, 'spec', 'expirationSeconds') ?? HOUR;
    if (seconds < 600) {
      const why = 'may not specify a duration less than 10 minutes';
      throw invalid('authentication.k8s.io', 'TokenRequest', '', [
        invalidValue('spec.expirationSeconds', seconds, why),
      ]);
    }
    const { name, namespace = '', uid } = object.metadata;
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      aud: [AUDIENCE],
      exp: now + seconds,
      iat: now,
      iss: AUDIENCE,
      jti: randomUUID(),
      'kubernetes.io': { namespace, serviceaccount: { name, uid } },
      nbf: now,
      sub: serviceAccountUser(namespace, name),
    };
    const signed = `${HEADER}.${encode(claims)}`;
    return {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name, namespace, uid, creationTimestamp: timestamp() },
      spec: { audiences: [AUDIENCE], expirationSeconds: seconds, boundObjectRef: null },
      status: {
        token: `${signed}.${this.#sign(signed)}`,
        expirationTimestamp: timestamp((now + seconds) * 1_000),
      },
    };
  }

  /** Answers a TokenReview. */
  review(body: unknown): object {
    const token = textOf(body, 'spec', 'token');
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const principal = this.read(token);
    return {
      kind: 'TokenReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {},
      spec: { token },
      status:
        principal === undefined
          ? { user: {}, error: 'invalid bearer token' }
          : { authenticated: true, user: userInfo(principal), audiences: [AUDIENCE] },
    };
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }

  #account(namespace: string, name: string): Version | undefined {
    return this.#storage.collection('serviceaccounts').items.get(`${namespace}/${name}`);
  }
}

/** Somebody as the API shows them. */
export function userInfo({ user, uid, groups, extra }: Principal): object {
  return {
    username: user,
    ...(uid === undefined ? {} : { uid }),
    groups,
    ...(extra === undefined ? {} : { extra }),
  };
}

export const unauthorized = () => new StatusError(401, 'Unauthorized', 'Unauthorized');
