import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Layer } from '@/lib/around'
import type { TableName } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import type { Matches, Total, TotalQuery } from '@/lib/search/count-matches'
import type { Resolved } from '@/lib/search/resolved'
import type { Join } from '@/lib/search/sql-terms'
import { otherTables, readsNodes } from '@/lib/search/tables-read'
import { maintainTotals } from './maintain-totals'
import { compactWhenMany, keptTotal, versionedTotal } from './table-version'

/**
 * Numbers of matches are counted only where they are not known: of all records, triggers keep the number; of conditions
 * it is remembered with the version of the tables.
 */
export const knownTotals: Layer = {
  name: 'known-totals',
  around: {
    async total(deps, matches, next) {
      const { target, where, joins = [] } = matches
      const counted = await next(deps)
      // Tables of our own are small, and not watched; those of a cluster have no triggers.
      if (target.system || readsNodes(target, { joins })) return counted
      if (where.length > 0) return rememberedTotal(deps, { ...matches, joins })
      return {
        queries: [keptTotal(target.table), ...counted.queries],
        read: ({ total, pending }) => {
          compactWhenMany(deps, target.table, pending)
          return total
        },
      }
    },
  },
  adds: { jobs: [{ name: 'maintain totals', intervalMs: 30_000, run: maintainTotals }] },
}

function rememberedTotal(deps: Deps, matches: Matches & { joins: Join[] }): Total {
  const { table } = matches.target
  const key = keyOfTotal(matches)
  const known = knownTotal(deps, key)
  const tables = [table, ...otherTables(matches)]
  const seen = JSON.stringify(tables)
  return {
    queries: queriesOf(known, tables, versionsOf(deps).get(seen)),
    read: ({ total, version, pending }) => {
      compactWhenMany(deps, table, pending)
      if (version !== null) recordVersion(deps, seen, version)
      const isSame = known !== undefined && version === known.version
      const shown = total ?? (isSame ? known.total : null)
      if (shown !== null && version !== null)
        rememberTotal(deps, key, { version, total: shown, isChanging: known && !isSame })
      return shown
    },
  }
}

/**
 * A plan with a count is dearer to begin, so the count is only there where it is likely to be needed: `seen` is the version
 * that was seen last.
 */
function queriesOf(
  known: KnownTotal | undefined,
  tables: TableName[],
  seen: string | undefined,
): TotalQuery[] {
  // Those of conditions, which the key of a statement need not have.
  const others = tables.length > 1 ? JSON.stringify(tables.slice(1)) : ''
  const counting: TotalQuery = {
    kind: `versioned${others}`,
    counts: true,
    build: (count) => versionedTotal(tables, count),
  }
  if (!known || (seen !== undefined && seen !== known.version)) return [counting]
  if (known.isChanging) {
    const unless = sql.placeholder('unless')
    const build = (count: SQL) => versionedTotal(tables, count, unless)
    return [{ kind: `unless${others}`, counts: true, build, values: { unless: known.version } }]
  }
  const build = () => versionedTotal(tables, sql`null::text`)
  return [{ kind: `version${others}`, counts: false, build }, counting]
}

// The conditions of a request are one object.
const keys = new WeakMap<Resolved[], string>()

/** A longer key is remembered by its digest, which takes longer to make than most keys. */
const MAX_KEY_CHARS = 1_000

/** What the total of conditions is remembered by. */
export function keyOfTotal({ target: { table }, where, joins = [] }: Matches): string {
  const known = keys.get(where)
  if (known !== undefined) return known
  const text = JSON.stringify([table, where, joins])
  const isLong = text.length > MAX_KEY_CHARS
  const key = isLong ? createHash('sha256').update(text).digest('base64') : text
  keys.set(where, key)
  return key
}

/**
 * A number of matches, a bigint as text, and the version of the tables for which it is exact. `isChanging`: it took
 * the place of one that did not hold any more, so this one may not either.
 */
export type KnownTotal = { version: string; total: string; isChanging?: boolean }

const MAX_TOTALS = 5_000

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & {
  __engineTotals?: WeakMap<Deps, Map<string, KnownTotal>>
  __engineSeenVersions?: WeakMap<Deps, Map<string, string>>
}
shared.__engineTotals ??= new WeakMap()
shared.__engineSeenVersions ??= new WeakMap()
const totals = shared.__engineTotals
/** By tables: the version that was seen last. A total of an older one holds no more. */
const versions = shared.__engineSeenVersions

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

const MAX_VERSIONS = 1_000

function versionsOf(deps: Deps): Map<string, string> {
  const known = versions.get(deps) ?? new Map<string, string>()
  versions.set(deps, known)
  return known
}

function recordVersion(deps: Deps, tables: string, version: string): void {
  const all = versionsOf(deps)
  if (all.size >= MAX_VERSIONS) all.clear()
  all.set(tables, version)
}

function totalsOf(deps: Deps): Map<string, KnownTotal> {
  const known = totals.get(deps) ?? new Map<string, KnownTotal>()
  totals.set(deps, known)
  return known
}
