import { Duplex } from 'node:stream'
import { GREETING } from './pglite-messages'
import type { PgliteServer } from './pglite-server'

type Done = (error?: Error | null) => void
type Chunk = { chunk: Buffer }

const TERMINATE = 'X'.charCodeAt(0)

/**
 * Acts as a connection to a PostgreSQL server for the driver. The embedded database has neither
 * connections nor passwords, so this class answers the start-up messages itself.
 */
export class PgliteSocket extends Duplex {
  private hasStarted = false

  constructor(private readonly server: PgliteServer) {
    super()
  }

  /** Ignores host and port. Emits `connect` or `error`, as a `net.Socket` does. */
  connect(): this {
    this.server.attach(this).then(
      () => this.emit('connect'),
      (error) => this.destroy(error),
    )
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: unknown, done: Done): void {
    if (!this.hasStarted) {
      this.hasStarted = true
      this.push(GREETING)
    } else if (chunk[0] !== TERMINATE) {
      this.server.send(this, ownBytes(chunk))
    }
    done()
  }

  /** Sends the parts of one statement together: each would cost a message to the thread. */
  override _writev(chunks: Chunk[], done: Done): void {
    const all = chunks.map(({ chunk }) => chunk)
    const [only] = all.length === 1 ? all : []
    this._write(only ?? Buffer.concat(all), null, done)
  }

  override _final(done: Done): void {
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: Done): void {
    this.server.detach(this)
    done(error)
  }

  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

/**
 * Bytes that can be transferred to another thread: small buffers share their memory with others.
 */
function ownBytes(chunk: Buffer): Uint8Array<ArrayBuffer> {
  const isWhole = chunk.byteLength === chunk.buffer.byteLength
  return isWhole ? new Uint8Array(chunk.buffer as ArrayBuffer) : new Uint8Array(chunk)
}
