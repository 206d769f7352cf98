import { Readable } from 'node:stream'
import type { Connection, Submittable } from 'pg'

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
