import { openArchive, SIGNATURE_FILE } from '@/lib/archives/open-archive'
import { signedList } from '@/lib/archives/signed-files'
import { parseEnv } from '@/lib/env'
import { newSecretKey, type SecretKey } from '@/lib/signatures/key-pair'
import { publicKeyText } from '@/lib/signatures/public-key'
import { signContent } from '@/lib/signatures/sign'
import { archiveOf } from './archive'

/** A key with its public part as publishers give it out. */
export function newKey(keyId?: Buffer) {
  const made = newSecretKey()
  const secret = keyId ? { ...made, keyId } : made
  return { secret, publicKey: publicKeyText(secret.keyId, secret.publicKey) }
}

/** The files of a plugin with their signature among them. */
export async function signedFiles(
  files: Record<string, unknown>,
  { secret }: { secret: SecretKey },
): Promise<Record<string, unknown>> {
  const { entries } = await openArchive(await archiveOf(files), parseEnv({}))
  return { ...files, [SIGNATURE_FILE]: signContent(await signedList(entries), secret, 'test') }
}
