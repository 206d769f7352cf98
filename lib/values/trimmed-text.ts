import { z } from 'zod'
import { nameFault } from './name-fault'

/**
 * A text without leading or trailing blanks. Names with blanks are refused rather than trimmed:
 * otherwise what is stored would silently differ from what was sent. Never longer than `max`
 * characters.
 */
export const trimmedText = (
  { missing, max, tooLong }: { missing: string; max: number; tooLong: string },
  params?: Parameters<typeof z.string>[0],
) =>
  z
    .string(params)
    .refine((text) => text.trim() !== '', { error: missing, abort: true })
    .refine((text) => text === text.trim(), 'Must not begin or end with a space')
    .max(max, tooLong)

/** The same for a name that people compare with others, which must not be taken for another one: see `nameFault`. */
export const nameText = (...input: Parameters<typeof trimmedText>) =>
  trimmedText(...input).superRefine((text, { addIssue }) => {
    const fault = nameFault(text)
    if (fault !== null) addIssue(fault)
  })
