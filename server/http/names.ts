import 'server-only';
import { z } from 'zod';

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** Parts of a path become parts of the API server's path, so nothing but a Kubernetes name goes through. */
export const namespaceName = z
  .string()
  .max(63)
  .regex(new RegExp(`^${label}$`), 'is not a namespace');
export const objectName = z
  .string()
  .max(253)
  .regex(new RegExp(`^${label}(\\.${label})*$`), 'is not a name of a Kubernetes object');
export const objectParams = z.object({ namespace: namespaceName, name: objectName });

/** `namespaces=a,b`; absent means all that the person may see. */
export const namespacesQuery = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(namespaceName))
  .optional();

/** `pool=ns/name` */
export const poolQuery = z
  .string()
  .transform((text) => {
    const [ns, ...name] = text.split('/');
    return { ns, name: name.join('/') };
  })
  .pipe(z.object({ ns: namespaceName, name: objectName }))
  .optional();
