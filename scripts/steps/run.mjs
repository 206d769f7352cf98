import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The project's folder; every command runs there. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A failure with a message for the user: it is shown without a stack. */
export class StepError extends Error {}

/**
 * Runs a command with its output shown, and returns its exit code (128 when a signal ended it). A
 * signal that ends this process ends the command and its child processes too.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, quiet?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { env = {}, quiet = false } = {}) {
  const options = { cwd: ROOT, env: { ...process.env, ...env }, stdio: stdioOf(quiet) }
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, detached: HAS_GROUPS })
    const letGo = endWithUs(child)
    child.once('error', reject)
    child.once('close', (code) => {
      letGo()
      resolve(code ?? 128)
    })
  })
}

// In a process group of its own, which one signal reaches.
const HAS_GROUPS = process.platform !== 'win32'

/** @returns {() => void} call it when the child has ended by itself */
function endWithUs(child) {
  const end = () => {
    try {
      process.kill(HAS_GROUPS ? -child.pid : child.pid, 'SIGTERM')
    } catch {
      // All of them have ended.
    }
  }
  // Without a listener, a signal would end this process without ending the child.
  const leave = (_, number) => process.exit(128 + number)
  process.once('exit', end)
  for (const signal of SIGNALS) process.once(signal, leave)
  return () => {
    process.removeListener('exit', end)
    for (const signal of SIGNALS) process.removeListener(signal, leave)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

const stdioOf = (quiet) =>
  /** @type {const} */ (['ignore', quiet ? 'ignore' : 'inherit', 'inherit'])

/** Runs an installed package's command, without npm or a shell between it and the signals. */
export const bin = (path) => `${ROOT}node_modules/${path}`
