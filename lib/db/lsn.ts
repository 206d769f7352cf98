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
