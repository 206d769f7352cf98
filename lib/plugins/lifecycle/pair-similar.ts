import { forEachInTurns } from '@/lib/async/turns'

/** A record by its fields, as texts. */
export type Candidate<K> = { id: K; fields: ReadonlyMap<string, string> }

/**
 * Pairs each record with the former one that it most likely is: the one with a value of its `unique` fields, or else one with
 * a value that no other record has, and at least half of its fields. Records with two likely former
 * ones stay without. `counts`: how often a value occurs among all records, by `field=value`.
 */
export async function pairSimilar<A, B>(
  records: readonly Candidate<A>[],
  former: readonly Candidate<B>[],
  counts: ReadonlyMap<string, number>,
  unique: ReadonlySet<string>,
): Promise<[A, B][]> {
  const sure = await pairBy(records, former, counts, (name) => unique.has(name))
  const [paired, taken] = [new Set(sure.map(([ours]) => ours)), new Set(sure.map(([, one]) => one))]
  const left = records.filter(({ id }) => !paired.has(id))
  const rest = former.filter(({ id }) => !taken.has(id))
  const likely = await pairBy(left, rest, counts, (_, a, b) => sharesHalf(a.fields, b.fields))
  return [...sure, ...likely]
}

type IsLikely = (field: string, ours: Candidate<unknown>, theirs: Candidate<unknown>) => boolean

/** By values that one record and one former record have; `isLikely` decides about those two. */
async function pairBy<A, B>(
  records: readonly Candidate<A>[],
  former: readonly Candidate<B>[],
  counts: ReadonlyMap<string, number>,
  isLikely: IsLikely,
): Promise<[A, B][]> {
  const byValue = await valuesOf(former)
  const chosen = new Map<B, A | null>()
  await forEachInTurns(records, (record) => {
    const likely = new Set<Candidate<B>>()
    for (const [name, value] of record.fields) {
      const text = `${name}=${value}`
      const [only, ...others] = byValue.get(text) ?? []
      if (!only || others.length > 0 || (counts.get(text) ?? 0) > 1) continue
      if (isLikely(name, record, only)) likely.add(only)
    }
    const [one] = likely
    if (one && likely.size === 1) chosen.set(one.id, chosen.has(one.id) ? null : record.id)
  })
  return [...chosen].flatMap(([theirs, ours]): [A, B][] => (ours === null ? [] : [[ours, theirs]]))
}

async function valuesOf<B>(former: readonly Candidate<B>[]) {
  const byValue = new Map<string, Candidate<B>[]>()
  await forEachInTurns(former, (one) => {
    for (const [name, value] of one.fields) {
      const text = `${name}=${value}`
      byValue.set(text, [...(byValue.get(text) ?? []).slice(0, 1), one])
    }
  })
  return byValue
}

function sharesHalf(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  const names = new Set([...a.keys(), ...b.keys()])
  const same = [...names].filter((name) => a.get(name) === b.get(name)).length
  return same * 2 >= names.size
}
