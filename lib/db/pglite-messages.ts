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
export const GREETING = Buffer.from(
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
