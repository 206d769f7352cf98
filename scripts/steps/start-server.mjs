import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT, StepError } from './run.mjs'

const START_TIMEOUT_MS = 60_000

/**
 * Starts the production server and waits until it responds. Returns `exited`, a promise of its exit
 * code, and `stop`. Forwards signals of this process to it, so that it closes its database.
 */
export async function startServer(url, env) {
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=16', '--heap-growing-percent=50', join(ROOT, 'dist', 'server.mjs')],
    {
      cwd: ROOT,
      // Fewer arenas: otherwise image work on several threads keeps memory that it no longer needs.
      env: { MALLOC_ARENA_MAX: '2', ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  const exited = once(child, 'exit').then(([code]) => code ?? 1)
  // A terminal sends Ctrl-C to the server as well; a second signal has no effect.
  const stop = () => child.kill('SIGTERM')
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
  await responds(url, child)
  return { exited, stop }
}

async function responds(url, child) {
  for (const until = Date.now() + START_TIMEOUT_MS; Date.now() < until; ) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new StepError('The server did not start.', { cause: child.exitCode })
    const response = await fetch(`${url}/api/health`).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill('SIGTERM')
  throw new StepError('The server did not respond within a minute.')
}
