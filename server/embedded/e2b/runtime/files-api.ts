import { createHash, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Folder, homeOf, isUser, type User } from './folder';
import { codeOf, goReasonOf } from './reasons';
import { RpcError, readBody } from './rpc/connect';

/** An answer `{code, message}`. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** As much as headers and boundaries of a form may take besides the files. */
const FORM_BYTES = 64 * 1024;

/**
 * Who may use `/files`: the holder of the token, or of an address that the holder signed.
 * @throws HttpError 401
 */
function authorize(
  request: IncomingMessage,
  query: URLSearchParams,
  operation: 'read' | 'write',
  token: string | undefined,
): void {
  if (token === undefined) return;
  const given = request.headers['x-access-token'];
  if (given !== undefined && given !== '') {
    if (given !== token) throw new HttpError(401, 'access token present in header but does not match');
    return;
  }
  const signature = query.get('signature');
  if (signature === null) throw new HttpError(401, 'missing signature query parameter');
  const expires = query.get('signature_expiration');
  const parts = [
    query.get('path') ?? '',
    operation,
    query.get('username') ?? '',
    token,
    ...(expires === null ? [] : [expires]),
  ];
  const expected = `v1_${createHash('sha256').update(parts.join(':')).digest('base64').replace(/=+$/, '')}`;
  const [a, b] = [Buffer.from(signature), Buffer.from(expected)];
  if (a.length !== b.length || !timingSafeEqual(a, b)) throw new HttpError(401, 'invalid signature');
  if (expires !== null && Number(expires) < Date.now() / 1000) throw new HttpError(401, 'signature is already expired');
}

function userOf(query: URLSearchParams): User {
  const name = query.get('username') ?? '';
  if (!isUser(name)) throw new HttpError(401, `error looking up user '${name}': user: unknown user ${name}`);
  return name;
}

const insideOf = (folder: Folder, name: string, user: User): string =>
  folder.resolve(homeOf(user), name.replace(/^~(?=\/|$)/, homeOf(user)));

/** `GET /files`: the bytes of a file. `POST /files`: writes the files of a form. */
export async function serveFiles(
  folder: Folder,
  token: string | undefined,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  authorize(request, query, request.method === 'GET' ? 'read' : 'write', token);
  const user = userOf(query);
  if (request.method === 'GET') await download(folder, insideOf(folder, query.get('path') ?? '', user), response);
  else await upload(folder, user, query.get('path'), request, response);
}

async function download(folder: Folder, inside: string, response: ServerResponse): Promise<void> {
  const stats = await folder.stat(inside).catch((error) => {
    if (codeOf(error) === 'ENOENT') throw new HttpError(404, `path '${inside}' does not exist`);
    throw new HttpError(500, `error checking if path exists '${inside}': ${goReasonOf(error)}`);
  });
  if (stats.isDirectory()) throw new HttpError(400, `path '${inside}' is a directory`);
  const real = await folder.real(inside);
  response.writeHead(200, {
    'accept-ranges': 'bytes',
    'content-length': stats.size,
    'content-type': await contentType(real),
    'last-modified': stats.mtime.toUTCString(),
  });
  if (stats.size === 0) response.end();
  // A file that grows meanwhile is sent as long as it was.
  else await pipeline(createReadStream(real, { end: stats.size - 1 }), response);
}

/** Text, unless there is a byte that no text has. */
async function contentType(real: string): Promise<string> {
  const known = { '.json': 'application/json', '.html': 'text/html; charset=utf-8', '.png': 'image/png' }[
    path.extname(real)
  ];
  if (known) return known;
  const file = await open(real);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    const isBinary = buffer
      .subarray(0, bytesRead)
      .some((byte) => byte < 9 || byte === 11 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32));
    return isBinary ? 'application/octet-stream' : 'text/plain; charset=utf-8';
  } finally {
    await file.close();
  }
}

async function upload(
  folder: Folder,
  user: User,
  name: string | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request, Math.max(0, folder.free()) + FORM_BYTES).catch((error) => {
    if (error instanceof RpcError) throw new HttpError(507, 'not enough disk space available');
    throw error;
  });
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  })
    .formData()
    .catch((error) => {
      throw new HttpError(400, `error parsing multipart form: ${error instanceof Error ? error.message : error}`);
    });
  const files = form.getAll('file').filter((value) => typeof value !== 'string');
  const written: object[] = [];
  for (const file of files) {
    const inside = insideOf(folder, files.length === 1 && name !== null ? name : file.name, user);
    await write(folder, inside, user, new Uint8Array(await file.arrayBuffer()));
    written.push({ name: path.posix.basename(inside), path: inside, type: 'file' });
  }
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(JSON.stringify(written));
}

async function write(folder: Folder, inside: string, user: User, bytes: Uint8Array): Promise<void> {
  const stats = await folder.stat(inside).catch(() => undefined);
  if (stats?.isDirectory()) throw new HttpError(400, `path is a directory: ${inside}`);
  try {
    await folder.makeDirs(path.posix.dirname(inside), user);
    const file = await folder.openWrite(inside, 'w', user);
    try {
      await file.write(bytes);
    } finally {
      await file.close();
    }
    folder.own(await folder.stat(inside), user);
  } catch (error) {
    if (codeOf(error) === 'ENOSPC') throw new HttpError(507, 'not enough disk space available');
    throw new HttpError(500, `error creating file: open ${inside}: ${goReasonOf(error)}`);
  }
}
