/** The one of `names` that `name` most likely meant (few edits apart, case aside), or null. */
export function nearest(name: string, names: Iterable<string>): string | null {
  const wanted = name.toLowerCase()
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of names) {
    const few = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3)) + 1
    const distance = editDistance(wanted, candidate.toLowerCase(), Math.min(bestDistance, few))
    if (distance >= few) continue
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** ` Did you mean "x"?`, or nothing. */
export function suggestion(name: string, names: Iterable<string>): string {
  const found = nearest(name, names)
  return found === null ? '' : `; did you mean "${found}"?`
}

/** Levenshtein's distance with swaps of neighbours (optimal string alignment), at most `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit || a.length > 200 || b.length > 200) return limit
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      }
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return Math.min(last[b.length] ?? limit, limit)
}
