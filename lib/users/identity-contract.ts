import { z } from 'zod'
import { instant } from '@/lib/values/wire-types'

/** An account at a provider by which a user signs in. */
export const identity = z
  .object({
    identityId: z.uuid(),
    provider: z.string().meta({ description: 'Its name in the settings' }),
    label: z.string().meta({ description: 'What people call it' }),
    issuer: z.string(),
    email: z
      .string()
      .nullable()
      .meta({ description: 'As the provider said at the last sign-in; for display only' }),
    managesRoles: z
      .boolean()
      .meta({ description: 'The roles of the user come from it, and are not changed here' }),
    createdAt: instant,
    lastUsedAt: instant.nullable(),
  })
  .meta({ id: 'Engine.Identity' })
export type Identity = z.infer<typeof identity>

/** Any texts: those that are no ids are `not_found`. */
export const identityParams = z.strictObject({ userId: z.string(), identityId: z.string() })
