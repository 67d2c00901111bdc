import { readdirSync, readFileSync } from 'node:fs';
import type { Metrics } from './registry';

/** What the process uses since it started (epoch milliseconds); of what only Linux tells, nothing elsewhere. */
export function measureProcess(metrics: Metrics, startedMs: number): void {
  const { user, system } = process.cpuUsage();
  metrics.set('process_cpu_seconds_total', {}, (user + system) / 1e6);
  metrics.set('process_resident_memory_bytes', {}, process.memoryUsage.rss());
  metrics.set('process_start_time_seconds', {}, Math.round(startedMs / 10) / 100);
  if (process.platform !== 'linux') return;
  const number = (file: string, line: RegExp) => Number(line.exec(readFileSync(`/proc/self/${file}`, 'utf8'))?.[1]);
  metrics.set('process_virtual_memory_bytes', {}, number('status', /^VmSize:\s+(\d+) kB/m) * 1024);
  metrics.set('process_max_fds', {}, number('limits', /^Max open files\s+(\d+)/m));
  metrics.set('process_open_fds', {}, readdirSync('/proc/self/fd').length);
}
