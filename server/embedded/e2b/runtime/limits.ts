/** What one sandbox may use. All limits of the runtime stand here. */
export const LIMITS = {
  /** Memory of Python, in bytes; beyond it, Python raises MemoryError. */
  memoryBytes: 256 * 1024 * 1024,
  /** Heap of the JavaScript engine around Python, in MiB. */
  heapMiB: 128,
  /** Everything in the file system of a sandbox. */
  folderBytes: 64 * 1024 * 1024,
  /** How long a command may run when its request names no end. */
  commandMs: 60 * 60 * 1000,
  /** Processes of one sandbox at the same time. */
  processes: 64,
  /** Python processes of one sandbox at the same time: each takes a real process. */
  pythons: 4,
  /** Python processes that wait for a command, over all sandboxes. */
  readyPythons: 2,
  /** Output that waits for its reader, in each pipe. */
  pipeBytes: 64 * 1024,
  /** What `$(…)` and the programs that need all of their input may hold. */
  heldBytes: 16 * 1024 * 1024,
  /** Characters of all variables of a shell together, and of all words of a command. */
  shellCharacters: 8 * 1024 * 1024,
  /** Words that one expansion may make. */
  words: 100_000,
  /** Body of a request to the process and file system services. */
  requestBytes: 4 * 1024 * 1024,
  /** Nesting of shells, functions and `eval`. */
  shellDepth: 50,
  /** How long one regular expression may work on one chunk of input. */
  regexMs: 1_000,
} as const;
