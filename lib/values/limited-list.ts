import { z } from 'zod'

/**
 * `list`, of at most `max` items. Unlike `.max(max)` alone, does not check the items of a longer
 * one, so that a list of a million invalid items is cheap to refuse.
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
