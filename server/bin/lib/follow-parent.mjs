import { isMainThread } from 'node:worker_threads';

// Loaded with --import into processes that this project starts: if the one that started them is killed outright,
// nobody is left to stop them, and they would hold their port and memory for ever.
if (isMainThread) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, 500).unref();
}
