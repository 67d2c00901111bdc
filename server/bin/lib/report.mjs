/** Something the person can mend: what is the matter, what to do about it, and the exit code. */
export class Stop extends Error {
  /**
   * @param {string} sentence
   * @param {string} remedy
   * @param {{ code?: number, lines?: string[] }} [more] `lines` is output of a program that explains it, shown first
   */
  constructor(sentence, remedy, { code = 1, lines = [] } = {}) {
    super(sentence);
    this.remedy = remedy;
    this.code = code;
    this.lines = lines;
  }
}

/** Progress goes to stderr, so that stdout carries results only. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** A stop as it is printed. */
export function stopText(stop) {
  const lines = stop.lines.map((line) => `  | ${line}`);
  return [...lines, `Error: ${stop.message}`, `  ${stop.remedy}`].join('\n');
}

/**
 * Says what is being done while it is done: one line that counts seconds on a terminal, a line every ten seconds elsewhere.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @param {NodeJS.WriteStream} [out]
 * @returns {Promise<T>}
 */
export async function withProgress(label, work, out = process.stderr) {
  const begun = Date.now();
  const elapsed = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  const show = () => out.write(out.isTTY ? `\r\x1b[K${label} … ${elapsed()}` : `${label} … ${elapsed()}\n`);
  out.write(out.isTTY ? `${label} …` : `${label} …\n`);
  const timer = setInterval(show, out.isTTY ? 1000 : 10_000);
  let outcome = 'failed after';
  try {
    const result = await work();
    outcome = 'done in';
    return result;
  } finally {
    clearInterval(timer);
    out.write(`${out.isTTY ? '\r\x1b[K' : ''}${label}: ${outcome} ${elapsed()}\n`);
  }
}
