import { z } from 'zod'

/**
 * `list`, of at most `max` items. Unlike `.max(max)` alone it looks at no item of a longer one, so that
 * a list of a million faults costs nothing.
 */
export const limitedList = <Item extends z.ZodType>(
  list: z.ZodArray<Item>,
  max: number,
  message = `must hold at most ${max} items`,
) =>
  z.preprocess(
    (value, { addIssue }) => {
      if (!Array.isArray(value) || value.length <= max) return value
      addIssue(message)
      return z.NEVER
    },
    list.max(max, message),
  )
