import 'server-only';

const newline = 0x0a;

/** Cuts a byte stream into lines. Characters may be split between chunks; a line without an end is dropped. */
export async function readLines(
  source: AsyncIterable<Buffer>,
  handlers: { onBytes(): void; onLine(line: string): void },
): Promise<void> {
  let open: Buffer[] = [];
  for await (const chunk of source) {
    handlers.onBytes();
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      open.push(chunk.subarray(from, at));
      const line = Buffer.concat(open).toString('utf8');
      open = [];
      from = at + 1;
      if (line.trim() !== '') handlers.onLine(line);
    }
    if (from < chunk.length) open.push(chunk.subarray(from));
  }
}
