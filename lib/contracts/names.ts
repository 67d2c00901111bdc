import { z } from 'zod';

/** One part of a name, as the text of a regular expression. */
export const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** Names become parts of the API server's paths: nothing but a name of Kubernetes goes through. */
export const namespaceName = z
  .string()
  .max(63)
  .regex(new RegExp(`^${label}$`), { error: 'This is no namespace.' });

export const objectName = z
  .string()
  .max(253)
  .regex(new RegExp(`^${label}(\\.${label})*$`), { error: 'This is no name of a Kubernetes object.' });
