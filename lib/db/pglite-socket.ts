import { Duplex } from 'node:stream'
import type { PgliteServer } from './pglite-server'

type Callback = (error?: Error | null) => void
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

  override _write(chunk: Buffer, _: unknown, done: Callback): void {
    if (!this.hasStarted) {
      this.hasStarted = true
      this.push(GREETING)
    } else if (chunk[0] !== TERMINATE) {
      this.server.send(this, ownBytes(chunk))
    }
    done()
  }

  /** Sends the parts of one statement together: each would cost a message to the thread. */
  override _writev(chunks: Chunk[], done: Callback): void {
    const all = chunks.map(({ chunk }) => chunk)
    const [only] = all.length === 1 ? all : []
    this._write(only ?? Buffer.concat(all), null, done)
  }

  override _final(done: Callback): void {
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: Callback): void {
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

/**
 * The messages of PostgreSQL's wire protocol (chapter 54 of its manual) that the server reads
 * itself.
 */

const READY_FOR_QUERY = 'Z'.charCodeAt(0)
const ERROR = 'E'.charCodeAt(0)
const IDLE = 'I'.charCodeAt(0)
const READY_BYTES = 6

/** Whether the response ends here. */
export const isReady = (bytes: Buffer) => bytes.at(-READY_BYTES) === READY_FOR_QUERY

/** Whether a transaction is open after a response that ends here. */
export const leavesTransaction = (bytes: Buffer) => bytes.at(-1) !== IDLE

/** A Query message. */
export function simpleQuery(statement: string): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(`${statement}\0`)
  const bytes = new Uint8Array(5 + text.length)
  bytes[0] = 'Q'.charCodeAt(0)
  new DataView(bytes.buffer).setInt32(1, 4 + text.length)
  bytes.set(text, 5)
  return bytes
}

/** SQLSTATE and message of the first error in whole messages, or null. */
export function errorIn(messages: Buffer): string | null {
  for (let at = 0; at < messages.length; at += 1 + messages.readInt32BE(at + 1)) {
    if (messages[at] !== ERROR) continue
    const fields = messages.toString('utf8', at + 5, at + 1 + messages.readInt32BE(at + 1))
    const field = (type: string) =>
      fields
        .split('\0')
        .find((text) => text.startsWith(type))
        ?.slice(1)
    return `${field('C')}: ${field('M')}`
  }
  return null
}

/** AuthenticationOk, BackendKeyData and ReadyForQuery: the messages a client needs to connect. */
const GREETING = Buffer.from(
  'R\0\0\0\x08\0\0\0\0' + 'K\0\0\0\x0c\0\0\0\x01\0\0\0\x01' + 'Z\0\0\0\x05I',
  'latin1',
)

/** Whether the error is that a statement was stopped. */
export const isInterruption = (error: string) => error.startsWith('57014')

/** The error code of a broken connection, so that callers handle it as one. */
export const away = (reason: string) =>
  Object.assign(new Error(`The embedded database stopped: ${reason}`), {
    code: 'CONNECTION_CLOSED',
  })
