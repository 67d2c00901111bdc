import type { ServerResponse } from 'node:http';
import { type Attributes, isResource } from '../auth/attributes';

const READING = ['get', 'list', 'watch', 'head'];
const LONG_RUNNING = ['attach', 'exec', 'log', 'portforward'];

const isLongRunning = (attributes: Attributes) =>
  isResource(attributes) && (attributes.verb === 'watch' || LONG_RUNNING.includes(attributes.subresource));

/**
 * The requests that are being answered. Past a limit further ones are to be turned away with 429; those that stay open
 * (watches, logs) do not count. Unlike kube-apiserver's limit it spares nobody, so an administrator can see it at work.
 */
export class InFlight {
  mutating = 0;
  readOnly = 0;

  constructor(readonly limit: number = Number.POSITIVE_INFINITY) {}

  /** Counts a request until its answer has ended; false when there are too many already. */
  enter(attributes: Attributes, response: ServerResponse): boolean {
    if (isLongRunning(attributes)) return true;
    if (this.mutating + this.readOnly >= this.limit) return false;
    const kind = READING.includes(attributes.verb) ? 'readOnly' : 'mutating';
    this[kind] += 1;
    response.once('close', () => {
      this[kind] -= 1;
    });
    return true;
  }
}
