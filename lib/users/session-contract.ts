import { z } from 'zod'
import { instant } from '@/lib/values/wire-types'

export const session = z
  .object({
    id: z.uuid(),
    current: z.boolean().meta({ description: 'The session of this request' }),
    device: z.string().meta({ description: 'From the User-Agent at the sign-in' }),
    signedInBy: z
      .string()
      .nullable()
      .meta({ description: 'The provider, as oidc:<name>; null for a password or a passkey here' }),
    address: z.string().nullable().meta({ description: 'Of the caller at the sign-in' }),
    signedInAt: instant,
    lastSeenAt: instant,
  })
  .meta({ id: 'Engine.Session' })
export type Session = z.infer<typeof session>

/** Any text: one that is no session's id is `not_found`. */
export const sessionParams = z.strictObject({ sessionId: z.string() })

export const endedSessions = z.object({ ended: z.int() })
