import { z } from 'zod'
import { strictObject } from '@/lib/values/strict-object'
import { trimmedText } from '@/lib/values/trimmed-text'

const MAX_PARAMS = 16_000
const name = trimmedText({
  missing: 'must not be empty',
  max: 80,
  tooLong: 'has at most 80 characters',
})
const params = z.string().max(MAX_PARAMS)

/** Query of `GET /api/views`. */
export const viewsQuery = strictObject({ entity: z.string().min(1).max(200) })

export const viewParams = z.strictObject({ id: z.uuid('is not the id of a view') })

/** Body of `POST /api/views`. */
export const createViewBody = strictObject({
  entity: z.string().min(1).max(200),
  name,
  /** Visible to all users who may read the entity. */
  shared: z.boolean().default(false),
  /** Query string of the console's page, without its page number. */
  params,
})
export type CreateViewBody = z.infer<typeof createViewBody>

/** Body of `PATCH /api/views/:id`: the given fields are changed. */
export const updateViewBody = strictObject({
  name: name.optional(),
  shared: z.boolean().optional(),
  params: params.optional(),
})
export type UpdateViewBody = z.infer<typeof updateViewBody>

export const savedView = z
  .object({
    id: z.uuid(),
    entity: z.string(),
    name: z.string(),
    shared: z.boolean(),
    params: z.string(),
    mine: z.boolean().meta({ description: "It is the caller's own" }),
  })
  .meta({ id: 'Engine.SavedView' })
export type SavedView = z.infer<typeof savedView>
