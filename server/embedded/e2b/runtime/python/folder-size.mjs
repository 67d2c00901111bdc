import fs from 'node:fs';
import path from 'node:path';

/** What one file or folder costs besides its content; without it, a disk could be filled with empty files. */
const ENTRY_BYTES = 4096;

/**
 * @param {string} dir
 * @returns {number} bytes of everything in a folder
 */
export function folderSize(dir) {
  let bytes = 0;
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const inner = path.join(dir, entry.name);
    bytes += ENTRY_BYTES;
    // What is deleted meanwhile costs nothing.
    if (entry.isDirectory()) bytes += folderSize(inner);
    else bytes += fs.lstatSync(inner, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
