import { z } from 'zod'
import { PERMISSIONS, RECORD_ACTIONS } from '@/lib/auth/rights'
import { rolesOfKey } from '@/lib/users/contract'
import { instant, limitedList, nameText, strictObject } from '@/lib/values/wire-types'
import { wordsFor } from '@/lib/values/words-for'

const YEAR_MS = 366 * 24 * 60 * 60_000

/** `Entity:action`, with `*` for any entity or action, or a permission such as `images:upload`. */
const scope = z
  .string()
  .max(200)
  .refine(
    isScope,
    `Must be Entity:${[...RECORD_ACTIONS, '*'].join('|')}, or ${PERMISSIONS.join(', ')}`,
  )

function isScope(text: string): boolean {
  if ((PERMISSIONS as readonly string[]).includes(text)) return true
  const [, action] = /^(?:\*|[A-Za-z_]\w*):(\w+|\*)$/.exec(text) ?? []
  return action === '*' || (RECORD_ACTIONS as readonly string[]).includes(action ?? '')
}

const expiresAt = z.iso
  .datetime({ offset: true, error: 'Must be a time such as 2030-01-31T12:00:00Z' })
  .transform((text) => new Date(text))
  .refine((date) => date.getTime() > Date.now(), 'Must be in the future')
  .refine((date) => date.getTime() <= Date.now() + YEAR_MS, 'Must be within a year')

/** Body of `POST /api/api-keys`. The key acts as its owner, or has `roles` of its own; scopes narrow either. */
export const createKeyBody = strictObject({
  name: nameText(
    { missing: 'The key needs a name', max: 100, tooLong: 'A name has at most 100 characters' },
    { error: wordsFor('The name is missing', 'The name must be a text') },
  ),
  scopes: limitedList(
    z
      .array(scope)
      .min(1, 'Give at least one scope, or leave them out for all rights of the owner or roles'),
    200,
  )
    .transform((scopes) => [...new Set(scopes)])
    .nullish(),
  roles: rolesOfKey.nullish(),
  expiresAt: expiresAt.nullish(),
})
export type CreateKey = z.infer<typeof createKeyBody>

export const keyParams = strictObject({ id: z.string() })

const API_KEY_STATUSES = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number]

/** A key as the API shows it; only the response that created it has the key itself. */
export const apiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string(),
    scopes: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Null: all rights of its owner or its roles' }),
    roles: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Of its own; null: it acts as its owner' }),
    status: z.enum(API_KEY_STATUSES),
    ownerId: z.uuid().nullable().meta({ description: 'Null for a key with roles of its own' }),
    expiresAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Engine.ApiKey' })
export type ApiKey = z.infer<typeof apiKey>

export const newApiKey = apiKey
  .extend({ apiKey: z.string().meta({ description: 'The key; it is shown this once' }) })
  .meta({ id: 'Engine.NewApiKey' })
export type NewApiKey = z.infer<typeof newApiKey>
