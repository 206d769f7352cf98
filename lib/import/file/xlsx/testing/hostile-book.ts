import type { Cell } from '../../source'

/** A workbook that is made to be expensive or misread. */
export type HostileBook = {
  name: string
  bytes: Uint8Array
  /** Its rows or their number, where it may be read; undefined: it may hold anything, or be refused. */
  rows?: Cell[][] | number
  /** Part of the reason for which it has to be refused. */
  refused?: RegExp
}

/** A number of 0 and more, below `limit`. */
export type Random = (limit: number) => number

/** The same numbers for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * limit)
  }
}

export type Make = (random: Random) => Omit<HostileBook, 'name'>

export const MIB = 1024 * 1024

/** About so many MiB of a text. */
export const megabytes = (text: string, mib: number): string =>
  text.repeat(Math.ceil((mib * MIB) / text.length))
