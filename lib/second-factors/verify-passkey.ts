import { appUrl } from '@/lib/auth/app-url'
import type { PasskeyRow } from '@/lib/db/schema'
import type { Env } from '@/lib/env'
import type { AuthenticationResponse, RegistrationResponse } from './passkey-contract'

type Settings = Pick<Env, 'APP_URL' | 'PORT'>
type Made = Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp'>

/** The credential that a device made for `challenge`; null for one that is not valid. */
export async function verifyRegistration(
  settings: Settings,
  response: RegistrationResponse,
  challenge: string,
): Promise<Made | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    if (!(await isPlain(response))) return null
    const { id, origin } = relyingParty(settings)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    })
    if (!verified) return null
    const { credential, credentialBackedUp: backedUp } = registrationInfo
    const publicKey = Buffer.from(credential.publicKey).toString('base64url')
    const { id: credentialId, counter, transports = [] } = credential
    return { credentialId, publicKey, counter, transports: [...transports], backedUp }
  } catch {
    return null // the library throws for each thing that may be wrong
  }
}

/**
 * Whether it comes without certificates, as it was asked for: the library would fetch the addresses in
 * them.
 */
async function isPlain({ response }: RegistrationResponse): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const bytes = isoBase64URL.toBuffer(response.attestationObject)
  const attestation = decodeAttestationObject(bytes)
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'))
}

/** The new number of signatures when the device of `passkey` signed `challenge`; else null. */
export async function verifyAuthentication(
  settings: Settings,
  passkey: PasskeyRow,
  response: AuthenticationResponse,
  challenge: string,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { credentialId: id, publicKey, counter } = passkey
  try {
    const party = relyingParty(settings)
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
      requireUserVerification: true,
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null // the library throws for each thing that may be wrong
  }
}

/** What apps and passkeys show as the place that they belong to. */
export const SERVICE = 'Engine'

/** Where passkeys hold: at the address of the app, and never at one that a request names. */
export function relyingParty(settings: Pick<Env, 'APP_URL' | 'PORT'>): {
  id: string
  origin: string
} {
  const { hostname, origin } = new URL(appUrl(settings))
  return { id: hostname, origin }
}
