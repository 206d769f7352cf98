import { Duplex } from 'node:stream'
import { GREETING } from './pglite-messages'
import type { PgliteServer } from './pglite-server'

type Done = (error?: Error | null) => void
type Chunk = { chunk: Buffer }

const TERMINATE = 'X'.charCodeAt(0)

/**
 * What the driver takes for a connection to a PostgreSQL server. The embedded database knows neither
 * connections nor passwords, so the start is made up here.
 */
export class PgliteSocket extends Duplex {
  private hasStarted = false

  constructor(private readonly server: PgliteServer) {
    super()
  }

  /** Host and port don't matter. Ends in `connect` or `error`, as of a `net.Socket`. */
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

  /** The parts of one statement go together: each would cost a trip to the thread. */
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

/** Bytes that may be handed to another thread: small buffers share their memory with others. */
function ownBytes(chunk: Buffer): Uint8Array<ArrayBuffer> {
  const isWhole = chunk.byteLength === chunk.buffer.byteLength
  return isWhole ? new Uint8Array(chunk.buffer as ArrayBuffer) : new Uint8Array(chunk)
}
