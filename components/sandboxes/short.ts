/** `b3f0…9e2c`: enough of a uid to tell Pods of one name apart. */
export function shortUid(uid: string): string {
  return uid.length > 12 ? `${uid.slice(0, 4)}…${uid.slice(-4)}` : uid;
}

/** Digests and image ids shortened in place: `sha256:9f2c44…41be`. */
export function shortDigests(text: string): string {
  return text.replace(/[0-9a-f]{64}/g, (hex) => `${hex.slice(0, 6)}…${hex.slice(-4)}`);
}
