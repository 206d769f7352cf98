import { distance } from 'fastest-levenshtein'

/** A name without case, accents and what stands between words. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Whether two plain names differ by so little that one is likely a slip of the other. */
export function isLike(one: string, other: string): boolean {
  const length = Math.max(one.length, other.length)
  const few = length < 5 ? 0 : length < 10 ? 1 : 2
  return Math.abs(one.length - other.length) <= few && distance(one, other) <= few
}
