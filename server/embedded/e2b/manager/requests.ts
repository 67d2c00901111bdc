import { z } from 'zod';
import { Refusal } from './answers';
import { checkedTimeout } from './ends';
import { DecodeError, decodeBody } from './go-json';

const strings = z.record(z.string(), z.string());

/** What a sandbox may reach; entries are a CIDR, an IP or a domain. */
export const networkSchema = z.object({
  allow_internet_access: z.boolean().optional(),
  allowOut: z.array(z.string()).optional(),
  denyOut: z.array(z.string()).optional(),
});
export type Network = z.infer<typeof networkSchema>;

/** Body of `POST /sandboxes`. Timeout in seconds, 0 for the default. */
export const createSchema = z.object({
  templateID: z.string().default(''),
  timeout: z.int().default(0),
  autoPause: z.boolean().default(false),
  allow_internet_access: z.boolean().default(true),
  metadata: strings.default({}),
  envVars: strings.default({}),
  volumeMounts: z.array(z.object({ name: z.string().default(''), path: z.string().default('') })).default([]),
  network: networkSchema.optional(),
});
export type CreateRequest = z.infer<typeof createSchema>;

const timeoutSchema = z.object({ timeout: z.int().default(0) });

/** What a route is asked that sets or moves an end. @throws Refusal 400, DecodeError */
export const secondsOf = ({ body }: { body: string }): number =>
  checkedTimeout(decodeBody(body, timeoutSchema, 'SetTimeoutRequest').timeout);

/** For the routes that tell every such mistake as 500 (recorded: info-timeout). */
export function secondsOr500(call: { body: string }): number {
  try {
    return secondsOf(call);
  } catch (error) {
    throw error instanceof Refusal || error instanceof DecodeError ? new Refusal(500, error.message) : error;
  }
}

export const snapshotSchema = z.object({ name: z.string().optional() });

const quotaSchema = z.object({
  limits: z.array(z.object({ dimension: z.string(), scope: z.string(), limit: z.int() })).default([]),
});
export const apiKeySchema = z.strictObject({
  name: z.string().default(''),
  teamName: z.string().default(''),
  quota: quotaSchema.optional(),
});
export type Quota = z.infer<typeof quotaSchema>;
