/** The texts of the C library, as programs and envd show them. */
const REASONS: Record<string, string> = {
  EACCES: 'Permission denied',
  EAGAIN: 'Resource temporarily unavailable',
  EBUSY: 'Device or resource busy',
  EEXIST: 'File exists',
  EINVAL: 'Invalid argument',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  ENAMETOOLONG: 'File name too long',
  ENOENT: 'No such file or directory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
  EPERM: 'Operation not permitted',
};

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** "No such file or directory": what is wrong, as a command says it. */
export function reasonOf(error: unknown): string {
  return REASONS[codeOf(error) ?? ''] ?? (error instanceof Error ? error.message : String(error));
}

/** "no such file or directory": the same as programs in Go say it. */
export function goReasonOf(error: unknown): string {
  return reasonOf(error).toLowerCase();
}

export function systemError(code: string): Error {
  return Object.assign(new Error(REASONS[code] ?? code), { code });
}
