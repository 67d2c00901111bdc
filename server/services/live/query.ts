import 'server-only';
import { z } from 'zod';

const namespaces = z
  .string()
  .max(20_000)
  .transform((list) => list.split(',').filter((name) => name !== ''))
  .optional();

/** `GET /api/v1/rows` */
export const rowsQuery = z.object({ namespaces });

/** `GET /api/v1/stream`. A browser that reconnects by itself sends the cursor as `Last-Event-ID`, which is newer. */
export const streamQuery = z.object({ namespaces, cursor: z.string().min(1).max(100) });
