import 'server-only';

const mask = '•••';

/** How much of the end of `text` may be the beginning of `secret`. */
function begunAt(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) {
    if (secret.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

/**
 * Takes secrets out of a stream of text, also where one is split over chunks. Nothing is held back but an end that may be the
 * beginning of a secret.
 */
export class Redactor {
  #secrets: readonly string[];
  #held = '';
  /** Something was taken out. */
  found = false;

  constructor(secrets: readonly string[]) {
    // A longer one first: it may hold a shorter one.
    this.#secrets = secrets.filter((secret) => secret.length >= 8).sort((a, b) => b.length - a.length);
  }

  take(text: string): string {
    let all = this.#held + text;
    for (const secret of this.#secrets) {
      if (!all.includes(secret)) continue;
      this.found = true;
      all = all.replaceAll(secret, mask);
    }
    const held = Math.max(0, ...this.#secrets.map((secret) => begunAt(all, secret)));
    this.#held = held === 0 ? '' : all.slice(-held);
    return held === 0 ? all : all.slice(0, -held);
  }

  /** What was held back: no more comes. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}
