import { sql } from 'drizzle-orm'
import { type Cluster, type Placement, placementOf } from '@/lib/db/cluster'
import { type Db, one, rows } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'
import type { Candidate, Move } from './resolve-placement'

/** `records`: an estimate. */
type Present = Placement & { records: number }

/** Tells where tables are, by their present and former names. */
export type Placements = {
  find: (table: TableName, former: TableName) => Promise<Present | null>
  /** For a dry run, which moves nothing: notes where the tables would be from now on. Null elsewhere. */
  keep:
    | ((candidates: readonly Candidate[], moves: readonly Move[], of: Cluster) => Promise<void>)
    | null
}

/** Of a cluster. In a dry run, of the originals of its copies, as the files tried so far would have left them. */
export async function presentPlacements(tx: Db): Promise<Placements> {
  const originals = await setting<string>(tx, 'engine.parked')
  if (!originals) return { find: (table) => placementOf(tx, table), keep: null }
  const kept = (await setting<Present>(tx, KEPT)) ?? {}
  return {
    find: async (table, former) =>
      kept[nameOf(table)] ??
      kept[nameOf(former)] ??
      placementOf(tx, { ...former, schema: originals[former.schema] ?? former.schema }),
    keep: async (candidates, moves, cluster) => {
      const placed = placedAfter(candidates, moves, cluster)
      for (const [name, placement] of placed) kept[name] = placement
      await tx.execute(sql`select set_config(${KEPT}::text, ${JSON.stringify(kept)}::text, true)`)
    },
  }
}

const KEPT = 'engine.kept_placements'

const nameOf = ({ schema, name }: TableName) => `${schema}.${name}`

async function setting<T>(tx: Db, name: string): Promise<Record<string, T> | null> {
  const query = sql`select nullif(current_setting(${name}::text, true), '') as json`
  const { json } = one(await rows<{ json: string | null }>(tx, query))
  return json === null ? null : JSON.parse(json)
}

function placedAfter(
  candidates: readonly Candidate[],
  moves: readonly Move[],
  { shards }: Cluster,
): [string, Present][] {
  const groups = new Map(
    candidates.map(({ entity, present }) => [
      entity.name,
      present?.type === 'distributed' ? present.colocation : null,
    ]),
  )
  // In the order of `moves`, those that others are kept beside come first. No group of the cluster has such a number.
  for (const [at, { entity, wanted }] of moves.entries())
    if (wanted.type === 'distributed')
      groups.set(entity.name, groups.get(wanted.beside ?? '') ?? -1 - at)
  return candidates.map(({ entity, present, records }) => {
    const place = moves.find((move) => move.entity.name === entity.name)?.wanted ?? present
    const colocation = groups.get(entity.name) ?? 0
    const placement: Placement =
      place?.type === 'distributed'
        ? { type: place.type, by: place.by, shards, colocation }
        : { type: place?.type ?? 'local' }
    return [nameOf(entity.table), { ...placement, records }]
  })
}
