import { z } from 'zod'
import { nameText, strictObject, trimmedText } from '@/lib/values/wire-types'

const MAX_PARAMS = 16_000
const MAX_DEFAULT_ROLES = 32

const NAME = { missing: 'must not be empty', max: 80, tooLong: 'has at most 80 characters' }
const role = trimmedText({
  missing: 'must not be empty',
  max: 64,
  tooLong: 'has at most 64 characters',
})
const params = z.string().max(MAX_PARAMS)

const VISIBILITIES = ['private', 'role', 'everyone'] as const
const visibility = z.enum(VISIBILITIES).meta({
  description:
    'Who sees the view of those who may read the entity: its owner, the users with the role `role` and managers of users, or all; what others see needs `views:publish`',
})
export type Visibility = (typeof VISIBILITIES)[number]

/** Query of `GET /api/views`. */
export const viewsQuery = strictObject({ entity: z.string().min(1).max(200) })

export const viewParams = z.strictObject({ id: z.uuid('is not the id of a view') })

/** What may be said of who sees a view and for whom it is the default. */
const audience = {
  visibility: visibility.optional(),
  role: role.nullable().optional().meta({ description: 'With the visibility `role`' }),
  shared: z
    .boolean()
    .optional()
    .meta({ description: 'Short for the visibility: `true` for everyone, `false` for private' }),
  defaultForMe: z
    .boolean()
    .optional()
    .meta({ description: 'The entity opens with it for the caller; another default ends' }),
  defaultForRoles: z.array(role).max(MAX_DEFAULT_ROLES).optional().meta({
    description:
      'The entity opens with it for users with these roles who have no default of their own; needs `users:manage`, and that the roles see the view',
  }),
}

/** Body of `POST /api/views`. */
export const createViewBody = strictObject({
  entity: z.string().min(1).max(200),
  name: nameText(NAME),
  /** Query string of the console's page, without its page number. */
  params,
  ...audience,
})
export type CreateViewBody = z.infer<typeof createViewBody>

/** Body of `PATCH /api/views/:id`: the given fields are changed; `updateView` checks a name that is new. */
export const updateViewBody = strictObject({
  name: trimmedText(NAME).optional(),
  params: params.optional(),
  ...audience,
})
export type UpdateViewBody = z.infer<typeof updateViewBody>

export const savedView = z
  .object({
    id: z.uuid(),
    entity: z.string(),
    name: z.string(),
    shared: z.boolean().meta({ description: 'Its visibility is `everyone`' }),
    visibility,
    role: z.string().nullable().meta({ description: 'Of the visibility `role`' }),
    params: z.string(),
    mine: z.boolean().meta({ description: "It is the caller's own" }),
    defaultForMe: z.boolean(),
    defaultForRoles: z.array(z.string()),
    opens: z.boolean().meta({
      description:
        "The entity opens with it for the caller: it is the caller's default, else that of the first of their roles with one",
    }),
  })
  .meta({ id: 'Engine.SavedView' })
export type SavedView = z.infer<typeof savedView>
