import { z } from 'zod'
import { recordParams } from '@/lib/records/contract'
import { wholeNumber } from '@/lib/search/contract'
import { isStorableText } from '@/lib/values/storable'
import { instant, strictObject } from '@/lib/values/wire-types'

const MAX_TEXT = 5_000
/** Of one record. */
export const MAX_COMMENTS = 1_000
/** People who get a mail about one comment. */
export const MAX_MENTIONS = 10

/** Query of `GET /api/entities/:entityName/:id/comments`. */
export const commentsQuery = strictObject({
  page: wholeNumber(z.number().max(1_000_000, 'is too large')).default(0),
  size: wholeNumber(
    z.number().min(1, 'must be at least 1').max(100, 'must be at most 100'),
  ).default(50),
})
export type CommentsQuery = z.infer<typeof commentsQuery>

/** Path of one comment. */
export const commentParams = recordParams.extend({
  commentId: z.uuid('is not the id of a comment'),
})

/** Body of `POST` and `PATCH`. */
export const commentBody = strictObject({
  text: z
    .string()
    .refine((text) => text.trim() !== '', { error: 'must not be empty', abort: true })
    .max(MAX_TEXT, 'has at most 5,000 characters')
    .refine(isStorableText, 'has a character that cannot be stored')
    .meta({
      description:
        'Plain text. `@` with the email of an active user who may read the record sends them a mail, of each comment to 10 people at most',
    }),
})

export const recordComment = z
  .object({
    id: z.uuid(),
    text: z.string(),
    author: z.object({
      type: z.enum(['user', 'api_key']),
      name: z.string().meta({ description: 'Email or name of the key at the time' }),
    }),
    mine: z.boolean().meta({ description: "It is the caller's own" }),
    createdAt: instant,
    editedAt: instant.nullable(),
  })
  .meta({ id: 'Engine.Comment' })
export type RecordComment = z.infer<typeof recordComment>
