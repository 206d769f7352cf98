import { Readable } from 'node:stream'
import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Connection, Submittable } from 'pg'

/**
 * `csv`: RFC 4180, except that lines end in LF. `text`: tabs between values, backslash escapes,
 * `\N` for null. `json`: one JSON text per line, unchanged.
 */
export type CopyFormat = 'csv' | 'text' | 'json'

export type CopyQuery = {
  /** Its columns are named `c0`, `c1`, …; its order is kept. */
  query: SQL
  width: number
  format: CopyFormat
}

/**
 * The whole result of a query, from one snapshot, in chunks of whole lines, with constant memory.
 * Starts when the first chunk is read. Ending the iteration or aborting `signal` stops the query.
 */
export type CopyOut = (query: CopyQuery, signal: AbortSignal) => AsyncGenerator<Buffer, void, void>

/** JSON has neither of the two characters, nor line breaks, so nothing is ever quoted. */
const OPTIONS: Record<CopyFormat, string> = {
  csv: 'format csv',
  text: 'format text',
  json: `format csv, delimiter E'\\x01', quote E'\\x02'`,
}

export const copyText = (query: string, format: CopyFormat, to: 'stdout' | `'/dev/blob'`): string =>
  `copy (${query}) to ${to} with (${OPTIONS[format]})`

const dialect = new PgDialect()

/**
 * A statement with its values as literals, since COPY takes no parameters. All values are texts and
 * become quoted literals, whose only escape is the doubled quote while
 * `standard_conforming_strings` is on; every connection of the server sets it.
 */
export function inlined(query: SQL): string {
  const { sql: text, params } = dialect.sqlToQuery(sql`${query}`.inlineParams())
  if (params.length > 0) throw new Error('COPY takes no parameters')
  return text
}

const BLOCK_BYTES = 64 * 1024

/**
 * What `copy … to stdout` sends, in blocks of whole lines. Reads from the socket
 * only as fast as it is read. Submit it by `client.query`.
 */
export class CopyStream extends Readable implements Submittable {
  /** Whether the statement has ended at the server, successfully or not. */
  isOver = false
  private socket: { pause(): void; resume(): void } | null = null
  private block = Buffer.allocUnsafe(BLOCK_BYTES)
  private used = 0

  constructor(private readonly statement: string) {
    super({ highWaterMark: 4 * BLOCK_BYTES })
  }

  submit(connection: Connection): void {
    this.socket = connection.stream as unknown as CopyStream['socket']
    connection.query(this.statement)
  }

  /** One line. pg reuses the memory of `chunk`. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.used + chunk.length > BLOCK_BYTES) this.pushBlock()
    if (chunk.length > BLOCK_BYTES) this.pushOrPause(Buffer.from(chunk))
    else this.used += chunk.copy(this.block, this.used)
  }

  handleCommandComplete(): void {
    this.pushBlock()
    this.push(null)
    this.end()
  }

  handleError(error: Error): void {
    this.end()
    this.destroy(error)
  }

  handleReadyForQuery(): void {}

  override _read(): void {
    this.socket?.resume()
  }

  private pushBlock(): void {
    if (this.used === 0) return
    const full = this.block.subarray(0, this.used)
    this.block = Buffer.allocUnsafe(BLOCK_BYTES)
    this.used = 0
    this.pushOrPause(full)
  }

  private pushOrPause(bytes: Buffer): void {
    if (!this.destroyed && !this.push(bytes)) this.socket?.pause()
  }

  /** The connection is released, and must not stay paused for its next user. */
  private end(): void {
    this.isOver = true
    this.socket?.resume()
    this.socket = null
  }
}
