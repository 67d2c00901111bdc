import { z } from 'zod';
import { parseTime } from './time';

/** Pieces of schemas for objects of any version: what is missing or of another shape is undefined or empty. */

export const text = z.string().min(1).optional().catch(undefined);
export const time = z.unknown().optional().transform(parseTime);
export const whole = z.number().int().optional().catch(undefined);
export const flag = z.boolean().optional().catch(undefined);
export const texts = z.array(z.string()).catch([]);

/** A list of which each readable item is taken. */
export const listOf = <S extends z.ZodType>(item: S) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.flatMap((each) => {
        const read = item.safeParse(each);
        return read.success ? [read.data] : [];
      }),
    );

/** An object of which each field is read by itself; anything else counts as empty. */
export const fields = <S extends z.ZodRawShape>(shape: S) =>
  z.preprocess((value) => (typeof value === 'object' && value !== null ? value : {}), z.object(shape));
