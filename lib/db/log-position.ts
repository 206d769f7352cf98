/** A position in PostgreSQL's write-ahead log: what is written later has a greater one. */
export type Lsn = bigint

/** After everything that is ever written. */
export const LAST_LSN: Lsn = 2n ** 64n - 1n

const HALF = 32n

/** Of PostgreSQL's text `16/B374D848`; null for another text. */
export function parseLsn(text: string): Lsn | null {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) return null
  return (BigInt(`0x${high}`) << HALF) | BigInt(`0x${low}`)
}

export const lsnText = (lsn: Lsn): string =>
  `${(lsn >> HALF).toString(16)}/${BigInt.asUintN(32, lsn).toString(16)}`.toUpperCase()

export const maxLsn = (one: Lsn, other: Lsn): Lsn => (one > other ? one : other)

/** With `stepMs` between them. */
const MAX_NOTED = 600

/**
 * Up to where the primary's log was written, and when: by it the age of a replica's state is known without
 * comparing clocks of machines, also while nothing is written. Times are those of `performance.now()`.
 */
export class WrittenPositions {
  /** In the order of both. */
  private noted: { lsn: Lsn; at: number }[] = []

  /** `stepMs`: how exact times of positions of long ago are. */
  constructor(private readonly stepMs: number) {}

  /** `at`: when the primary was asked. Everything that was committed before that ends before `lsn`. */
  note(lsn: Lsn, at: number): void {
    const [before, last] = [this.noted.at(-2), this.noted.at(-1)]
    if (last && last.lsn >= lsn) {
      last.at = at
      return
    }
    if (last && before && last.at - before.at < this.stepMs) this.noted.pop()
    this.noted.push({ lsn, at })
    if (this.noted.length > MAX_NOTED) this.noted.shift()
  }

  /** What has replayed `lsn` shows all that was committed before the returned time; -Infinity where that is not known. */
  shownBy(lsn: Lsn): number {
    return this.noted.findLast((one) => one.lsn <= lsn)?.at ?? -Infinity
  }

  /** When nothing is known of `lsn`, it was written before this. */
  get firstAt(): number | null {
    return this.noted[0]?.at ?? null
  }

  /** The log may have become another one: by a failover. */
  clear(): void {
    this.noted = []
  }
}
