import { distance } from 'fastest-levenshtein'

const MAX_LENGTH = 200

/** The one of `names` that `name` most likely meant (few edits apart, case aside), or null. */
export function nearest(name: string, names: Iterable<string>): string | null {
  const wanted = name.toLowerCase()
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of names) {
    const length = Math.max(name.length, candidate.length)
    const few = Math.max(1, Math.floor(length / 3)) + 1
    if (length > MAX_LENGTH || Math.abs(name.length - candidate.length) >= few) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < Math.min(few, bestDistance)) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** ` Did you mean "x"?`, or an empty text. */
export function suggestion(name: string, names: Iterable<string>): string {
  const found = nearest(name, names)
  return found === null ? '' : `; did you mean "${found}"?`
}

/** Levenshtein distance, where swapping two adjacent letters counts as one edit. */
function editDistance(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const swapped = a.slice(0, at) + a.charAt(at + 1) + a.charAt(at) + a.slice(at + 2)
  return swapped === b && a !== b ? 1 : distance(a, b)
}
