const FIRST_BYTES = 1024 * 1024
/** In UTF-8, of a UTF-16 code unit. */
const MAX_BYTES_A_CHAR = 3

/** Text as UTF-8, to which many short pieces are added: as one string, they would stay in memory. */
export class LineBuffer {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES)
  private used = 0

  get size(): number {
    return this.used
  }

  add(text: string): void {
    const most = this.used + text.length * MAX_BYTES_A_CHAR
    if (most > this.bytes.length) this.grow(most)
    this.used += this.bytes.write(text, this.used)
  }

  /** The bytes added since it was called last. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.used)
    this.bytes = Buffer.allocUnsafe(this.bytes.length)
    this.used = 0
    return taken
  }

  private grow(least: number): void {
    const larger = Buffer.allocUnsafe(Math.max(least, this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.used)
    this.bytes = larger
  }
}
