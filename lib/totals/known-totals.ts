import type { Deps } from '@/lib/deps'

/**
 * A number of matches, a bigint as text, and the version of the tables for which it is exact. `isChanging`: it took
 * the place of one that did not hold any more, so this one may not either.
 */
export type KnownTotal = { version: string; total: string; isChanging?: boolean }

const MAX_TOTALS = 5_000

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & {
  __engineTotals?: WeakMap<Deps, Map<string, KnownTotal>>
}
shared.__engineTotals ??= new WeakMap()
const totals = shared.__engineTotals

/** The last known total under `key`; whether it still holds, only its version tells. */
export function knownTotal(deps: Deps, key: string): KnownTotal | undefined {
  const known = totalsOf(deps).get(key)
  if (known) rememberTotal(deps, key, known)
  return known
}

/** Remembers a total. Inside a transaction it must not be: the version may come to nothing. */
export function rememberTotal(deps: Deps, key: string, known: KnownTotal): void {
  const all = totalsOf(deps)
  all.delete(key) // the least recently used one comes first
  all.set(key, known)
  if (all.size > MAX_TOTALS) all.delete(all.keys().next().value ?? '')
}

function totalsOf(deps: Deps): Map<string, KnownTotal> {
  const known = totals.get(deps) ?? new Map<string, KnownTotal>()
  totals.set(deps, known)
  return known
}
