import fs from 'node:fs';
import path from 'node:path';
import { folderSize } from './folder-size.mjs';

// Numbers of the errors in Emscripten.
const ENOSPC = 51;
const EPERM = 63;

/** After so many bytes, the folder is measured again: other processes write to it, too. */
const MEASURE_AFTER = 1024 * 1024;

/**
 * Mounts the folders of a sandbox where it sees them, with a quota over all.
 * Links are refused: they could lead out of the folder, for whoever else reads it.
 */
export function mount(FS, root, maxBytes) {
  const { NODEFS } = FS.filesystems;
  let unmeasured = MEASURE_AFTER;
  const spend = (bytes) => {
    unmeasured += bytes;
    if (unmeasured < MEASURE_AFTER) return;
    if (folderSize(root) + bytes > maxBytes) throw new FS.ErrnoError(ENOSPC);
    unmeasured = 0;
  };
  const { mknod } = NODEFS.node_ops;
  const { setattr } = NODEFS;
  const { write } = NODEFS.stream_ops;
  NODEFS.node_ops.symlink = () => {
    throw new FS.ErrnoError(EPERM);
  };
  NODEFS.node_ops.mknod = (parent, name, mode, dev) => {
    spend(4096);
    return mknod(parent, name, mode, dev);
  };
  NODEFS.setattr = (file, node, attr, ...calls) => {
    if (attr.size !== undefined) spend(attr.size);
    // The owner of the folder must be able to delete it.
    if (attr.mode !== undefined) attr.mode = (attr.mode & ~0o7000) | (FS.isDir(attr.mode) ? 0o700 : 0o600);
    return setattr(file, node, attr, ...calls);
  };
  NODEFS.stream_ops.write = (stream, buffer, offset, length, position) => {
    // A write far behind the end makes the file as long.
    spend(length + Math.max(0, (position ?? 0) - (fs.fstatSync(stream.nfd).size ?? 0)));
    return write(stream, buffer, offset, length, position);
  };
  for (const name of fs.readdirSync(root)) {
    FS.mkdirTree(`/${name}`);
    FS.mount(NODEFS, { root: path.join(root, name) }, `/${name}`);
  }
  FS.chmod('/', 0o555);
}
