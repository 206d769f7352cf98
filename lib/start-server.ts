import 'server-only'
import { messageOf } from '@/lib/errors'
import { getDeps, stopRuntime } from '@/lib/runtime'

/** Opens everything before the first request; a server that can't start says why in one line and ends. */
export async function startServer(): Promise<void> {
  try {
    await getDeps()
  } catch (error) {
    process.stderr.write(`Engine cannot start: ${messageOf(error)}\n`)
    process.exit(1)
  }
  // Next's own handlers stop the server; the database is closed beside them, and before the exit.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
}

async function stop(): Promise<void> {
  await stopRuntime()
  process.exit(0)
}
