import 'server-only';
import { chmod, mkdir, open } from 'node:fs/promises';

/** The folder of the database, asked before the database is: its thread would hang with it. */
export class DataFolder {
  #dir: string;
  #file: string;
  #answerMs: number;
  #asked: Promise<void> | undefined;

  /** @param file in `dir`, made when it is missing */
  constructor(dir: string, file: string, answerMs: number) {
    this.#dir = dir;
    this.#file = file;
    this.#answerMs = answerMs;
  }

  /** Whether it can be opened. A file system whose server is gone says nothing at all: then it is not asked again before it does. */
  async answers(): Promise<void> {
    this.#asked ??= this.#touch().finally(() => {
      this.#asked = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const why = `The folder ${this.#dir} does not answer`;
      timer = setTimeout(() => reject(new Error(why)), this.#answerMs);
    });
    try {
      await Promise.race([this.#asked, late]);
    } finally {
      clearTimeout(timer);
      // Its answer may come when nobody waits for it any more.
      this.#asked?.catch(() => undefined);
    }
  }

  async #touch(): Promise<void> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    // Templates are stored whole, secrets included: for nobody else to read. Its companions get the same mode.
    const handle = await open(this.#file, 'a', 0o600);
    await handle.close();
    await chmod(this.#file, 0o600);
  }
}
