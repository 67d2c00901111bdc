import { Box, CircleArrowUp, Gauge, Layers, type LucideIcon, SquareTerminal, TimerOff } from 'lucide-react';

export type Area = 'overview' | 'stuck' | 'pools' | 'sandboxes' | 'upgrades' | 'tasks';

/** The pages of the console. `key` follows `g` on the keyboard. */
export const areas: readonly { id: Area; href: string; icon: LucideIcon; key: string }[] = [
  { id: 'overview', href: '/', icon: Gauge, key: 'o' },
  { id: 'stuck', href: '/stuck', icon: TimerOff, key: 'k' },
  { id: 'pools', href: '/pools', icon: Layers, key: 'p' },
  { id: 'sandboxes', href: '/sandboxes', icon: Box, key: 's' },
  { id: 'upgrades', href: '/upgrades', icon: CircleArrowUp, key: 'u' },
  { id: 'tasks', href: '/tasks', icon: SquareTerminal, key: 't' },
];

export function areaOf(pathname: string): Area | undefined {
  return areas.find(({ href }) => (href === '/' ? pathname === '/' : `${pathname}/`.startsWith(`${href}/`)))?.id;
}

/** Pages of three panes: the navigation steps back to icons unless the person wants it wide. */
export function wantsRoom(pathname: string): boolean {
  return pathname === '/sandboxes' || pathname === '/stuck';
}

/** What `form` in the address of a pool's page opens. */
export const poolForms = ['scale', 'template'] as const;

/** Address of the form that plans an upgrade of a pool's claimed sandboxes. */
export const upgradePoolHref = (namespace: string, pool: string): string =>
  `/upgrades/new?pool=${encodeURIComponent(`${namespace}/${pool}`)}`;

/** Address of the form of a new task, with its pool chosen. */
export const taskPoolHref = (namespace: string, pool: string): string =>
  `/tasks?start=${encodeURIComponent(`${namespace}/${pool}`)}`;

/** Address of an object's page. */
export function objectHref(area: 'pools' | 'sandboxes' | 'upgrades', namespace: string, name: string): string {
  return `/${area}/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
}
