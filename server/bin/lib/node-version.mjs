// Old versions of Node must be able to load this file: no import, no syntax younger than ES2018.

const needed = [20, 19, 0];

/** True when a version like `20.19.1` is at least the one that package.json names under `engines`. */
export function nodeIsRecent(version) {
  const parts = version.split('.').map(Number);
  for (let i = 0; i < needed.length; i += 1) {
    if (parts[i] !== needed[i]) return parts[i] > needed[i];
  }
  return true;
}

/** Ends the process with a sentence when Node is too old for everything that would be loaded next. */
export function requireNode() {
  if (nodeIsRecent(process.versions.node)) return;
  console.error(`This needs Node ${needed.join('.')} or newer; this is ${process.versions.node}.`);
  console.error('  Install a current one from https://nodejs.org (or: nvm install 24), then run the command again.');
  process.exit(1);
}
