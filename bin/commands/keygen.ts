import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { keyFiles, newSecretKey } from '@/lib/signatures/key-pair'
import { EXIT, Failure, type Outcome } from '../failure'
import type { Io } from '../io'
import { askPassword } from '../signing-key'

/** Writes a key that signs plugins, `<name>.key`, and its public part, `<name>.pub`. */
export async function keygen(
  io: Io,
  name: string,
  { password }: { password: boolean },
): Promise<Outcome> {
  const [secretFile, publicFile] = [resolve(io.cwd, `${name}.key`), resolve(io.cwd, `${name}.pub`)]
  for (const path of [secretFile, publicFile]) if (existsSync(path)) throw taken(path)
  const files = await keyFiles(newSecretKey(), password ? await newPassword(io) : '')
  await create(secretFile, files.secretFile, 0o600)
  await create(publicFile, files.publicFile, 0o644)
  const { keyId, publicKey } = files
  return {
    lines: [
      `${secretFile}: the secret key; keep it to yourself, with a copy in a safe place`,
      `${publicFile}: the public key ${keyId}, for those who install your plugins:`,
      publicKey,
    ],
    json: { keyId, publicKey, secretFile, publicFile },
  }
}

async function newPassword(io: Io): Promise<string> {
  const password = await askPassword(io, 'Password that encrypts the key: ')
  if (password === '')
    throw new Failure('The password is empty; --no-password leaves the key unencrypted', EXIT.usage)
  if ((await askPassword(io, 'Again: ')) === password) return password
  throw new Failure('The passwords differ', EXIT.usage)
}

/** Never over another key, which may have signed what people trust. */
const create = (path: string, text: string, mode: number) =>
  writeFile(path, text, { flag: 'wx', mode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw taken(path)
  })

const taken = (path: string) =>
  new Failure(`${path} exists already; choose another name`, EXIT.usage)
