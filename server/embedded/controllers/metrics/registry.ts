import { type Family, families } from './families';

export type Labels = Record<string, string>;

interface Series {
  labels: Labels;
  value: number;
  /** Of a histogram: how many observations, and how many within each bound. */
  count: number;
  within: number[];
}

/** Metrics of one process, in the text format of Prometheus. Only names of its families exist. */
export class Metrics {
  private readonly series = new Map<string, Map<string, Series>>();

  constructor(private readonly known: Record<string, Family> = families) {}

  set(name: string, labels: Labels, value: number): void {
    this.of(name, labels).value = value;
  }

  add(name: string, labels: Labels, by = 1): void {
    this.of(name, labels).value += by;
  }

  /** Makes sure that a series is there, with 0 when it is new. */
  begin(name: string, labels: Labels): void {
    this.of(name, labels);
  }

  observe(name: string, labels: Labels, value: number): void {
    const series = this.of(name, labels);
    series.value += value;
    series.count += 1;
    (this.known[name]?.buckets ?? []).forEach((bound, i) => {
      if (value <= bound) series.within[i] = (series.within[i] ?? 0) + 1;
    });
  }

  /** Takes all series of some families away, or everything. */
  clear(names: Iterable<string> = [...this.series.keys()]): void {
    for (const name of names) this.series.delete(name);
  }

  render(): string {
    const lines: string[] = [];
    for (const name of [...this.series.keys()].sort()) {
      const family = this.known[name];
      if (family === undefined) continue;
      lines.push(`# HELP ${name} ${family.help}`, `# TYPE ${name} ${family.type}`);
      const sorted = [...(this.series.get(name)?.entries() ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [, series] of sorted) lines.push(...linesOf(name, series, family.buckets));
    }
    return `${lines.join('\n')}\n`;
  }

  private of(name: string, labels: Labels): Series {
    if (this.known[name] === undefined) throw new Error(`there is no metric ${name}`);
    const all = this.series.get(name) ?? new Map<string, Series>();
    this.series.set(name, all);
    const key = labelText(labels);
    const series = all.get(key) ?? { labels, value: 0, count: 0, within: [] };
    all.set(key, series);
    return series;
  }
}

function linesOf(name: string, { labels, value, count, within }: Series, buckets: number[] | undefined): string[] {
  if (buckets === undefined) return [`${name}${labelText(labels)} ${goNumber(value)}`];
  const bounds = [...buckets.map((bound, i) => [goNumber(bound), within[i] ?? 0] as const), ['+Inf', count] as const];
  return [
    ...bounds.map(([le, sum]) => `${name}_bucket${labelText(labels, le)} ${sum}`),
    `${name}_sum${labelText(labels)} ${goNumber(value)}`,
    `${name}_count${labelText(labels)} ${count}`,
  ];
}

/** `{a="b",…}` in the order of the names; `le` comes last. */
function labelText(labels: Labels, le?: string): string {
  const pairs = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}="${value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`);
  if (le !== undefined) pairs.push(`le="${le}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** A number as Go's shortest format writes it: from seven digits on with an exponent, of two digits at least. */
function goNumber(value: number): string {
  if (value === 0) return '0';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
