import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Refusal } from './answers';
import type { Quota } from './requests';

const adminId = '550e8400-e29b-41d4-a716-446655440000';
const adminTeam = { id: '550e8400-e29b-41d4-a716-446655449999', name: 'admin' };

export interface Team {
  id: string;
  name: string;
}

/** Who asks: the owner of sandboxes, and where its pools are. */
export interface User {
  id: string;
  name: string;
  team: Team;
  /** '' for the admin, who is in all of them. */
  namespace: string;
  createdAt: string;
  createdBy: string | undefined;
  quota: Quota | undefined;
}

export const isAdmin = ({ id }: User): boolean => id === adminId;

/** The form that every SDK takes for a key. */
const newKey = (): string => `e2b_${randomBytes(20).toString('hex')}`;

/** The keys of one manager; they end with it. */
export class Keys {
  readonly #users = new Map<string, User>();
  #adminKey = newKey();

  constructor() {
    this.#users.set(this.#adminKey, {
      id: adminId,
      name: 'admin',
      team: adminTeam,
      namespace: '',
      createdAt: new Date().toISOString(),
      createdBy: undefined,
      quota: undefined,
    });
  }

  get adminKey(): string {
    return this.#adminKey;
  }

  /** Gives the admin another key; the old one is worth nothing any more. */
  rotate(key = newKey()): string {
    const admin = this.#users.get(this.#adminKey);
    const old = this.#adminKey;
    this.#users.delete(old);
    this.#adminKey = key;
    if (admin !== undefined) this.#users.set(key, admin);
    return old;
  }

  user = (key: string | undefined): User | undefined => (key === undefined ? undefined : this.#users.get(key));

  /** Those of the same team; all of them for the admin. */
  visibleTo = (user: User): User[] =>
    [...this.#users.values()].filter(({ team }) => isAdmin(user) || team.name === user.team.name);

  /** A key of the team, whose name is that of a namespace. */
  create(by: User, name: string, teamName: string, quota: Quota | undefined): { key: string; user: User } {
    const team = teamName === adminTeam.name ? adminTeam : { id: teamId(teamName), name: teamName };
    const user = {
      id: randomUUID(),
      name,
      team,
      namespace: team === adminTeam ? '' : teamName,
      createdAt: new Date().toISOString(),
      createdBy: by.id,
      quota,
    };
    const key = newKey();
    this.#users.set(key, user);
    return { key, user };
  }

  /** @throws Refusal for the key of the admin, and for one that the user does not see */
  remove(by: User, id: string): void {
    if (id === adminId) throw new Refusal(403, 'the well-known admin api-key cannot be deleted');
    const [key] = [...this.#users].find(([, user]) => user.id === id && this.visibleTo(by).includes(user)) ?? [];
    if (key === undefined) throw new Refusal(404, 'API key not found');
    this.#users.delete(key);
  }
}

/** The same for the same name. */
function teamId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
