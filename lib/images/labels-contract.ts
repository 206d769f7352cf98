import { z } from 'zod'
import { limitedList } from '@/lib/values/limited-list'
import { trimmedText } from '@/lib/values/trimmed-text'

/** Tags of an image, and keys of its context. */
export const MAX_LABELS = 100

// The limits of Cloudinary, for all storages: it joins tags by commas.
const tag = trimmedText({
  missing: 'A tag must not be empty',
  max: 255,
  tooLong: 'A tag has at most 255 characters',
}).regex(/^[^,\p{Cc}]*$/u, 'A tag must not contain a comma or a control character')

/** The tags of an image, each once. */
export const tags = limitedList(
  z.array(tag, 'Must be a list of texts'),
  MAX_LABELS,
  'At most 100 tags are taken',
).transform((all) => [...new Set(all)])

// Objects take it for something else.
const RESERVED = '__proto__'
const IS_RESERVED = `A key must not be "${RESERVED}"`

export const contextKey = z
  .string()
  .regex(/^[\p{L}\p{N}_-]{1,100}$/u, 'A key has 1 to 100 letters, digits, "_" or "-"')
  .refine((key) => key !== RESERVED, IS_RESERVED)

const contextValue = z
  .string('Must be a text')
  .min(1, 'Must not be empty')
  .max(1000, 'At most 1000 characters are taken')
  .regex(/^(?!.*\\$)[^\0]*$/s, 'Must not contain U+0000 or end with a backslash')

const texts = z
  .record(contextKey, contextValue, {
    error: (issue) =>
      issue.code === 'invalid_key' ? issue.issues[0]?.message : 'Must be an object of texts',
  })
  .refine((all) => Object.keys(all).length <= MAX_LABELS, 'At most 100 keys are taken')

/** The context of an image. */
export const context = z.preprocess((input, { addIssue }) => {
  // A record leaves it out.
  if (typeof input === 'object' && input !== null && Object.hasOwn(input, RESERVED))
    addIssue({ code: 'custom', path: [RESERVED], message: IS_RESERVED })
  return input
}, texts)
