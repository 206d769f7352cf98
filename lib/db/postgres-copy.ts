import type { PoolClient } from 'pg'
import { currentBudget } from './budget'
import { type CopyOut, copyText, inlined } from './copy-out'
import { CopyStream } from './copy-stream'
import { asLost } from './errors'
import { cancelStatement } from './postgres-connection'
import type { ServerWatch } from './server-watch'

/** One COPY on a connection of its own; it reads one snapshot. */
export const postgresCopy = (connect: () => Promise<PoolClient>, watch: ServerWatch): CopyOut =>
  async function* copy({ query, format }, signal) {
    signal.throwIfAborted()
    const budget = currentBudget()
    watch.requireLife(budget)
    const client = await connect().catch((error) => {
      throw asLost(error)
    })
    const stream = client.query(new CopyStream(copyText(inlined(query), format, 'stdout')))
    const stop = () => stream.destroy(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    try {
      if (signal.aborted) stop()
      const chunks = stream.iterator()
      for (;;) {
        const next = await watch.wait(chunks.next(), budget, () => stream.destroy())
        if (next.done) return
        yield next.value as Buffer
      }
    } catch (error) {
      throw asLost(error)
    } finally {
      signal.removeEventListener('abort', stop)
      release(client, stream)
    }
  }

/** Stops a COPY that was not read to its end, and closes its connection. */
function release(client: PoolClient, stream: CopyStream): void {
  stream.destroy()
  const close = () => client.release(true)
  if (stream.isOver) client.release()
  else cancelStatement(client).then(close, close)
}
