/** A number from 0 up to `below`, spread evenly over `n`, a multiple of a half, and the same for the same `n`: runs can be repeated. */
export function random(n: number, below: number): number {
  let bits = Math.imul(2 * n + 1, 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32) * below
}

export const randomInteger = (n: number, below: number) => Math.floor(random(n, below))

/**
 * One of `count` things by Zipf's law: the one at `index` is asked for 1 / (index + 1) times as often
 * as the first.
 */
export function zipf(n: number, count: number): number {
  return Math.floor(Math.exp(random(n, Math.log(count + 1)))) - 1
}
