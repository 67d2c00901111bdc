import 'server-only';
import { z } from 'zod';
import { namespaceName, objectName } from '@/lib/contracts/names';

export { namespaceName, objectName };

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

export const taskParams = z.object({ id: z.string().regex(/^task-[0-9a-f]{12}$/, { error: 'This is no task.' }) });
