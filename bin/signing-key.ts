import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isLocked, readSecretKey, type SecretKey } from '@/lib/signatures/key-pair'
import { EXIT, Failure } from './failure'
import type { Io } from './io'

const VARIABLE = 'ENGINE_KEY_PASSWORD'

/** The password of a key, from the environment or the person at the terminal. Throws `Failure` without either. */
export async function askPassword({ env, ask }: Io, question: string): Promise<string> {
  const known = env[VARIABLE]
  if (known) return known
  if (!ask) throw new Failure(`Set ${VARIABLE} to the password of the key`, EXIT.usage)
  return ask(question, { hidden: true })
}

/** The key in a file, unlocked. Throws `Failure`, or `invalid_input` for a file that is none and a wrong password. */
export async function readSigningKey(io: Io, path: string): Promise<SecretKey> {
  const file = await readFile(resolve(io.cwd, path), 'utf8').catch((error: Error) => {
    throw new Failure(`Cannot read the key: ${error.message}`, EXIT.usage)
  })
  return readSecretKey(file, isLocked(file) ? await askPassword(io, `Password of ${path}: `) : '')
}
