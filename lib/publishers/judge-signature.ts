import type { InstallSignature, Signer } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { readPublicKey } from '@/lib/signatures/public-key'
import { isSignedBy, type Signed } from '@/lib/signatures/signature'
import { isExpired, publisherOfKey } from './store'

/** `signer`: whose key made it, trusted or expired; otherwise null, and `keyId` is what the signature claims. */
export type Judged = {
  state: InstallSignature['state']
  keyId: string | null
  signer: Signer | null
}

/** What a signature is by the trust of now. Throws `invalid_input` for one of a known key that did not make it. */
export async function judgeSignature(db: Db, signed: Signed | 'local' | null): Promise<Judged> {
  if (signed === 'local') return { state: 'local', keyId: null, signer: null }
  if (!signed) return { state: 'none', keyId: null, signer: null }
  const { keyId } = signed.signature
  const publisher = await publisherOfKey(db, keyId)
  if (!publisher) return { state: 'unknown', keyId, signer: null }
  const { name, publicKey } = publisher
  if (!isSignedBy(readPublicKey(publicKey), signed.signature, signed.digest))
    throw new AppError('invalid_input', forged(name, keyId), { meta: { signature: 'invalid' } })
  const signer = { publisher: name, keyId, publicKey }
  return { state: isExpired(publisher) ? 'expired' : 'valid', keyId, signer }
}

const forged = (name: string, keyId: string) =>
  `The signature of the archive names the key ${keyId} of "${name}", but does not fit its files: they were changed, or it is forged. Take the archive from its publisher again`
