import { z } from 'zod'
import { deleteBatchQuery, searchBody } from '@/lib/search/contract'
import { count, limitedList, strictObject, trimmedText } from '@/lib/values/wire-types'

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

const contextKey = z
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

/** The most images of one edit. */
export const MAX_EDITED = 500

const { query, filters } = searchBody.shape

/** Body of `PATCH /api/images/batch`. */
export const editImagesBody = strictObject({
  ids: limitedList(
    z.array(z.uuid('must be the fileId of an image')).min(1, 'must not be empty'),
    MAX_EDITED,
  )
    .optional()
    .meta({ description: `The \`fileId\` of each image; at most ${MAX_EDITED}` }),
  query,
  filters,
  addTags: tags.optional(),
  removeTags: tags.optional(),
  setContext: context.optional().meta({ description: 'Keys to set; the others stay' }),
  unsetContext: limitedList(z.array(contextKey), 100).optional(),
})
  .refine(
    ({ ids, query, filters }) => (ids === undefined) !== ((query ?? filters) === undefined),
    'Give either "ids" or "query" (an empty list of conditions means all images)',
  )
  .refine(
    ({ addTags, removeTags, setContext, unsetContext }) =>
      addTags ?? removeTags ?? setContext ?? unsetContext,
    'Give "addTags", "removeTags", "setContext" or "unsetContext"',
  )
  .refine(
    ({ addTags, removeTags }) => !addTags?.some((tag) => removeTags?.includes(tag)),
    'A tag must not be both in "addTags" and in "removeTags"',
  )
  .refine(
    ({ setContext, unsetContext }) =>
      !unsetContext?.some((key) => setContext && Object.hasOwn(setContext, key)),
    'A key must not be both in "setContext" and in "unsetContext"',
  )

/** Query of `PATCH /api/images/batch`. */
const { dryRun, expected } = deleteBatchQuery.shape
export const editImagesQuery = strictObject({ dryRun, expected })

export const editImagesMeta = z.object({
  updated: count,
  unchanged: count.meta({ description: 'Images that had these labels already' }),
  dryRun: z.literal(true).optional(),
  pending: count.optional().meta({
    description:
      'Images whose labels are not at their storage provider yet; the server sends them as soon as that works',
  }),
})
export type ImagesEdit = z.input<typeof editImagesBody>
