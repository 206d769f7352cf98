import { z } from 'zod'
import { deleteBatchQuery, searchBody } from '@/lib/search/contract'
import { limitedList } from '@/lib/values/limited-list'
import { strictObject } from '@/lib/values/strict-object'
import { count } from '@/lib/values/wire-types'
import { context, contextKey, tags } from './labels-contract'

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
