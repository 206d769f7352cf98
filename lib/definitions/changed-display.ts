import { isDeepStrictEqual } from 'node:util'
import type { EntityDisplay, FieldDisplay } from './display'

/** What differs of what is shown of a field or an entity, in words. */
export const changedParts = <T extends EntityDisplay | FieldDisplay>(
  before: T,
  after: T,
): string[] =>
  (Object.keys({ ...before, ...after }) as (keyof T & string)[])
    .filter((part) => !isDeepStrictEqual(before[part], after[part]))
    .map((part) =>
      part === 'format' ? 'number format' : part === 'hidden' ? 'hidden in lists' : part,
    )
    .sort()
