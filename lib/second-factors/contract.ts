import { z } from 'zod'
import { namedRoles } from '@/lib/users/contract'
import { instant, strictObject } from '@/lib/values/wire-types'
import { wordsFor } from '@/lib/values/words-for'
import { passkeyProof } from './passkey-contract'

/** The length limits prevent work for large texts. */
const text = (name: string, max: number) =>
  z
    .string({ error: wordsFor(`The ${name} is missing`, `The ${name} must be a text`) })
    .min(1, `The ${name} is missing`)
    .max(max, `This is too long for a ${name}`)

const code = text('code', 64)
const password = text('password', 1024)

/** Exactly one proof. */
export const confirmationBody = z.union(
  [strictObject({ password }), strictObject({ code }), strictObject({ passkey: passkeyProof })],
  { error: 'Send either a password, a code or a passkey' },
)
export const confirmation = z
  .object({ confirmedUntil: instant })
  .meta({ description: 'This session may change second factors until then' })

export const finishTotpBody = strictObject({ setupId: text('setupId', 64), code })

export const totpSetup = z.object({
  setupId: z.uuid(),
  secret: z.string().meta({ description: 'For an authenticator app, in base32' }),
  uri: z.string().meta({ description: 'The same for a QR code: otpauth://totp/…' }),
})
export type TotpSetup = z.infer<typeof totpSetup>

const codes = z.array(z.string())
export const newRecoveryCodes = z.object({ recoveryCodes: codes })
export const addedFactor = z.object({
  recoveryCodes: codes
    .nullable()
    .meta({ description: 'With the first factor: each works once and is shown only now' }),
})

export const passkey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    backedUp: z.boolean().meta({ description: 'Kept by a password manager on several devices' }),
    createdAt: instant,
    lastUsedAt: instant.nullable(),
  })
  .meta({ id: 'Engine.Passkey' })
export type Passkey = z.infer<typeof passkey>

export type AddedFactor = z.infer<typeof addedFactor>

export const addedPasskey = addedFactor.extend({ id: z.uuid() })

export const secondFactors = z.object({
  required: z.boolean().meta({ description: 'One of your roles requires a second factor' }),
  totp: z.object({ createdAt: instant, lastUsedAt: instant.nullable() }).nullable(),
  passkeys: z.array(passkey),
  recoveryCodesLeft: z.int(),
  confirmedUntil: instant
    .nullable()
    .meta({ description: 'Until when this session may change them without a confirmation' }),
})
export type SecondFactors = z.infer<typeof secondFactors>

export const requiredRoles = z.object({ roles: z.array(z.string()) })

export const requiredRolesBody = strictObject({ roles: namedRoles })
