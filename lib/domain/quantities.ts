import { isObject } from './json-diff';

const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A Kubernetes quantity as a number: "500m" is 0.5, "1Gi" is 1073741824; undefined for what is none. */
export function parseQuantity(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const match =
    typeof value === 'string' ? /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(value) : null;
  const factor = factors[match?.[2] ?? ''];
  return match && factor !== undefined ? Number(match[1]) * factor : undefined;
}

/** What one Pod asks of a node: CPU in cores, memory in bytes; absent when no container asks for it. */
export type PodAsk = { cpu?: number; memory?: number };

/**
 * The scheduler's sum over a Pod template: containers and sidecars (init containers that restart always) together, or
 * the largest other init container with the sidecars started before it, whichever is more; plus the Pod's overhead.
 */
export function podAsk(template: unknown): PodAsk {
  const spec = isObject(template) && isObject(template.spec) ? template.spec : {};
  const ask: PodAsk = {};
  for (const resource of ['cpu', 'memory'] as const) {
    const of = (container: unknown) => requestOf(container, resource);
    const mains = listOf(spec.containers).map(of);
    let sidecars = 0;
    let peak = 0;
    let known = mains.some((n) => n !== undefined);
    for (const init of listOf(spec.initContainers)) {
      const request = of(init);
      known ||= request !== undefined;
      if (isObject(init) && init.restartPolicy === 'Always') sidecars += request ?? 0;
      else peak = Math.max(peak, sidecars + (request ?? 0));
    }
    const overhead = isObject(spec.overhead) ? (parseQuantity(spec.overhead[resource]) ?? 0) : 0;
    const running = mains.reduce<number>((sum, n) => sum + (n ?? 0), 0) + sidecars;
    if (known || overhead > 0) ask[resource] = Math.max(running, peak) + overhead;
  }
  return ask;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A container without a request but with a limit asks for its limit. */
function requestOf(container: unknown, resource: string): number | undefined {
  const resources = isObject(container) && isObject(container.resources) ? container.resources : {};
  const side = (name: string) => (isObject(resources[name]) ? parseQuantity(resources[name][resource]) : undefined);
  return side('requests') ?? side('limits');
}

/** Cores as Kubernetes writes them: `500m`, `2`, `2.5`. */
export function cpuText(cores: number): string {
  return cores < 1 ? `${Math.round(cores * 1000)}m` : String(Math.round(cores * 100) / 100);
}

const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'] as const;

/** Bytes in the largest binary unit that leaves a number of at least 1: `512 Mi`, `1.5 Gi`. */
export function memoryText(bytes: number): string {
  let unit = 0;
  let n = bytes;
  while (n >= 1024 && unit < units.length - 1) {
    n /= 1024;
    unit++;
  }
  const rounded = Math.round(n * 10) / 10;
  return `${rounded}${units[unit] ? ` ${units[unit]}` : ''}`;
}
