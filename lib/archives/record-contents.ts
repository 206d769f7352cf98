import { DigestCounts, digestOf } from '@/lib/rows/digest-counts'
import { isObject, type Json } from '@/lib/values/json'
import { objectText } from './canonical-text'

/** Identifies a record without a key: a digest of its fields, and the number of equal ones before it. */
export type RecordContent = { index: number; digest: string; ordinal: number }

/**
 * Reads the contents of records as given in the file, independent of later changes of definitions.
 * The order of fields is ignored. Call `add` for each record in order; it takes only those without a
 * complete key. `take` returns those added since it was called last.
 */
export function contentReader(keys: readonly string[]) {
  const counts = new DigestCounts()
  const textOf = objectText(keys)
  let contents = new RecordContents()
  return {
    add(record: Json, index: number): void {
      if (!isObject(record) || keys.every((key) => (record[key] ?? null) !== null)) return
      const digest = digestOf(textOf(record))
      contents.add(index, digest, counts.add(digest))
    },
    take(): RecordContents {
      const taken = contents
      contents = new RecordContents()
      return taken
    },
  }
}

const DIGEST_BYTES = 16
const HEX_CHARS = 2 * DIGEST_BYTES

/** Millions of contents by the indexes of their records, in 24 bytes each. */
export class RecordContents {
  private indexes = new Uint32Array(64)
  private ordinals = new Uint32Array(64)
  private digests = Buffer.alloc(64 * DIGEST_BYTES)
  private hex = ''
  private last = -1
  size = 0

  /** Indexes must ascend. */
  add(index: number, digest: Buffer, ordinal: number): void {
    if (this.size === this.indexes.length) this.grow()
    this.indexes[this.size] = index
    this.ordinals[this.size] = ordinal
    const from = this.size * DIGEST_BYTES
    for (let at = 0; at < DIGEST_BYTES; at++) this.digests[from + at] = digest[at] ?? 0
    this.size++
  }

  /** Those of another file, whose first record has the index `first` here. */
  addAll({ indexes, ordinals, digests, size }: RecordContents, first: number): void {
    for (let at = 0; at < size; at++) {
      const digest = digests.subarray(at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES)
      this.add(first + (indexes[at] ?? 0), digest, ordinals[at] ?? 0)
    }
  }

  get(index: number): RecordContent | undefined {
    const at = this.positionOf(index)
    if (this.size === 0 || this.indexes[at] !== index) return undefined
    const digest = this.hexText().slice(at * HEX_CHARS, (at + 1) * HEX_CHARS)
    return { index, digest, ordinal: this.ordinals[at] ?? 0 }
  }

  /** Of all digests: they are asked for when the last is added. */
  private hexText(): string {
    const bytes = this.size * DIGEST_BYTES
    if (this.hex.length !== 2 * bytes) this.hex = this.digests.toString('hex', 0, bytes)
    return this.hex
  }

  private positionOf(index: number): number {
    // Mostly they are asked for in their order.
    if (this.indexes[this.last + 1] === index && this.last + 1 < this.size) return ++this.last
    this.last = this.searched(index)
    return this.last
  }

  private searched(index: number): number {
    let [low, high] = [0, this.size - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.indexes[middle] ?? 0) < index) low = middle + 1
      else high = middle
    }
    return low
  }

  private grow(): void {
    const larger = (values: Uint32Array) => {
      const copy = new Uint32Array(values.length * 2)
      copy.set(values)
      return copy
    }
    this.indexes = larger(this.indexes)
    this.ordinals = larger(this.ordinals)
    this.digests = Buffer.concat([this.digests], this.digests.length * 2)
  }
}
