/** A record by its fields, as texts. */
export type Candidate<K> = { id: K; fields: ReadonlyMap<string, string> }

/**
 * Pairs each record with the former one that it most likely is: they share a value that no other record
 * has, and at least half of their fields, or a value of a `unique` field. Records with two likely former
 * ones stay without. `counts`: how often a value occurs among all records, by `field=value`.
 */
export function pairSimilar<A, B>(
  records: readonly Candidate<A>[],
  former: readonly Candidate<B>[],
  counts: ReadonlyMap<string, number>,
  unique: ReadonlySet<string>,
): [A, B][] {
  const byValue = valuesOf(former)
  const chosen = new Map<B, A | null>()
  for (const { id, fields } of records) {
    const likely = new Set<Candidate<B>>()
    for (const [name, value] of fields) {
      const text = `${name}=${value}`
      const [only, ...others] = byValue.get(text) ?? []
      if (!only || others.length > 0 || (counts.get(text) ?? 0) > 1) continue
      if (unique.has(name) || sharesHalf(fields, only.fields)) likely.add(only)
    }
    const [one] = likely
    if (!one || likely.size > 1) continue
    chosen.set(one.id, chosen.has(one.id) ? null : id)
  }
  return [...chosen].flatMap(([theirs, ours]): [A, B][] => (ours === null ? [] : [[ours, theirs]]))
}

function valuesOf<B>(former: readonly Candidate<B>[]) {
  const byValue = new Map<string, Candidate<B>[]>()
  for (const one of former)
    for (const [name, value] of one.fields) {
      const text = `${name}=${value}`
      byValue.set(text, [...(byValue.get(text) ?? []).slice(0, 1), one])
    }
  return byValue
}

function sharesHalf(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  const names = new Set([...a.keys(), ...b.keys()])
  const same = [...names].filter((name) => a.get(name) === b.get(name)).length
  return same * 2 >= names.size
}
