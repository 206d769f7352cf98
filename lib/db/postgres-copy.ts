import type { Readable } from 'node:stream'
import type { ReservedSql, Sql } from 'postgres'
import { type CopyOut, copyText, inlined } from './copy-out'

/** One COPY on a connection of its own, which is one snapshot. */
export const postgresCopy = (client: Sql): CopyOut =>
  async function* copy({ query, format }, signal) {
    const text = copyText(inlined(query), format, 'stdout')
    const connection = await client.reserve()
    const canceller = await cancellerOf(client, connection)
    signal.addEventListener('abort', canceller.cancel, { once: true })
    try {
      signal.throwIfAborted()
      yield* run(connection, text, canceller.cancel)
    } finally {
      signal.removeEventListener('abort', canceller.cancel)
      await canceller.settled(connection)
      connection.release()
    }
  }

async function* run(connection: ReservedSql, text: string, cancel: () => void) {
  const stream = await connection.unsafe(text).readable()
  let isOver = false
  try {
    // Destroying the stream would leave postgres.js with a socket that nobody reads any more.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield chunk as Buffer
    isOver = true
  } catch (error) {
    isOver = true
    throw error
  } finally {
    if (!isOver) await drain(stream, cancel)
    // postgres.js pauses the socket while a chunk waits, and forgets about it when that was the last.
    stream._read(0)
  }
}

async function drain(stream: Readable, cancel: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    stream.once('error', () => resolve())
    stream.once('close', resolve)
    if (stream.closed) resolve()
  })
  cancel()
  stream.resume()
  await closed
}

/** Cancels what a connection runs, and tells when no cancellation can hit a later statement. */
async function cancellerOf(client: Sql, connection: ReservedSql) {
  const [row] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`
  let sent: Promise<unknown> | null = null
  return {
    cancel: () => {
      sent ??= client`select pg_cancel_backend(${row?.pid ?? 0})`.catch(() => {})
    },
    settled: async (used: ReservedSql) => {
      if (!sent) return
      await sent
      await used`select 1`.catch(() => {}) // may be the one that is hit
    },
  }
}
