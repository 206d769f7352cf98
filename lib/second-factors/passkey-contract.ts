import { z } from 'zod'
import { jsonObject, nameText, strictObject } from '@/lib/values/wire-types'

/** What browsers make of `navigator.credentials`, as WebAuthn describes it in JSON. */
const base64url = z
  .string()
  .max(16_384, 'This is too long')
  .regex(/^[\w-]+$/, 'This must be base64url')

const credential = <Response extends z.ZodType>(response: Response) =>
  z.looseObject({
    id: base64url,
    rawId: base64url,
    type: z.literal('public-key'),
    clientExtensionResults: z.looseObject({}),
    response,
  })

const registrationResponse = credential(
  z.looseObject({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(32)).max(16).optional(),
  }),
)
export type RegistrationResponse = z.infer<typeof registrationResponse>

const authenticationResponse = credential(
  z.looseObject({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
  }),
)
export type AuthenticationResponse = z.infer<typeof authenticationResponse>

const challengeId = z.string().min(1, 'The challengeId is missing').max(64)

/** A signed challenge. */
export const passkeyProof = strictObject({ challengeId, response: authenticationResponse })
export type PasskeyProof = z.infer<typeof passkeyProof>

const name = nameText(
  { missing: 'A passkey needs a name', max: 64, tooLong: 'A name has at most 64 characters' },
  'The name must be a text',
)

export const addPasskeyBody = strictObject({ challengeId, name, response: registrationResponse })
export const renamePasskeyBody = strictObject({ name })

/** Any text: one that is no passkey's id is `not_found`. */
export const passkeyParams = z.strictObject({ passkeyId: z.string() })

/** With a ticket, for the second step of a sign-in. */
export const askForPasskeyBody = strictObject({ ticket: z.string().max(256).optional() })

export const passkeyChallenge = z.object({
  challengeId: z.uuid(),
  options: jsonObject.meta({ description: 'For `navigator.credentials`, in the JSON of WebAuthn' }),
})
