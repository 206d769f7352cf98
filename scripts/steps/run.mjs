import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The project's folder; every command runs there. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A failure that has been explained in one line: it is shown without a stack. */
export class StepError extends Error {}

/**
 * Runs a command with its output shown, and answers its exit code (128 when a signal ended it).
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, quiet?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { env = {}, quiet = false } = {}) {
  const options = { cwd: ROOT, env: { ...process.env, ...env }, stdio: stdioOf(quiet) }
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options)
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 128))
  })
}

const stdioOf = (quiet) =>
  /** @type {const} */ (['ignore', quiet ? 'ignore' : 'inherit', 'inherit'])

/** Runs an installed package's command, without npm or a shell between it and our signals. */
export const bin = (path) => `${ROOT}node_modules/${path}`
