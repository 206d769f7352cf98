import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Env } from '@/lib/env'

/** Resolves when `server` takes connections. Throws an error that names the setting that is wrong. */
export async function listen(
  server: Server,
  { PORT, HOST }: Pick<Env, 'PORT' | 'HOST'>,
): Promise<void> {
  server.listen({ port: PORT, host: HOST })
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const isPort = ['EADDRINUSE', 'EACCES'].includes(error.code ?? '')
    const setting = isPort ? `PORT: ${PORT}` : `HOST: ${HOST}`
    const reason = REASONS[error.code ?? ''] ?? error.message
    throw new Error(`${setting} can't be listened on: ${reason}`, { cause: error })
  })
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another process does',
  EACCES: 'only some users may',
  EADDRNOTAVAIL: 'it is no address of this machine',
  ENOTFOUND: 'no address is known by that name',
  EAI_AGAIN: 'no address is known by that name',
}
