import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const { PATH, NODE_ENV } = process.env

export const ROOT = join(__dirname, '..', '..')
export const ENGINE = join(ROOT, 'bin', 'engine.mjs')
export const ENV = { PATH, NODE_ENV }

/** Runs the command in a process of its own; never throws. */
export async function engine(args: string[], cwd: string, env: Record<string, string> = {}) {
  const options = { cwd, env: { ...ENV, ...env } }
  return run(process.execPath, [ENGINE, ...args], options).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}
