/** Choices of a seed: the same ones each time. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 up to `limit`, without it. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  /** True in so many of 100 cases. */
  chance = (percent: number): boolean => this.below(100) < percent

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error('There is nothing to choose from')
    return values[this.below(values.length)] as T
  }

  /** Between `min` and `max` of them, each once, in any order. */
  some<T>(values: readonly T[], max: number, min = 0): T[] {
    const left = [...values]
    const count = Math.min(left.length, min + this.below(max - min + 1))
    return Array.from({ length: count }, () => left.splice(this.below(left.length), 1)[0] as T)
  }
}
