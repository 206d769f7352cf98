import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { EXIT, Failure } from './failure'
import type { Io } from './io'

/**
 * The text of a file of decisions about single conflicts, undefined without a file; the server
 * checks what they say. Throws `Failure` for a file that cannot be read or is not JSON.
 */
export async function readDecisions(io: Io, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const text = await readFile(resolve(io.cwd, file), 'utf8').catch((error: Error) => {
    throw new Failure(`Cannot read the decisions: ${error.message}`, EXIT.usage)
  })
  try {
    JSON.parse(text)
  } catch (error) {
    throw new Failure(`${file} is not valid JSON: ${(error as Error).message}`, EXIT.usage)
  }
  return text
}
