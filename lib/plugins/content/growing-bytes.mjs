/** Bytes appended at the end and dropped from the front, each copied a few times at most. */
export class GrowingBytes {
  constructor() {
    this.store = Buffer.alloc(0)
    this.start = 0
    this.end = 0
  }

  get bytes() {
    return this.store.subarray(this.start, this.end)
  }

  /** @param {Uint8Array} piece */
  append(piece) {
    const length = this.end - this.start
    if (this.end + piece.length > this.store.length) {
      // Twice the length, so that a long text is not copied again for each of its pieces.
      const store = Buffer.allocUnsafe(Math.max(length + piece.length, 2 * length))
      store.set(this.bytes)
      this.store = store
      this.start = 0
      this.end = length
    }
    this.store.set(piece, this.end)
    this.end += piece.length
  }

  drop(count) {
    this.start += count
    if (this.start === this.end) this.start = this.end = 0
  }
}
