import { sql } from 'drizzle-orm'
import { textArray } from '@/lib/db/identifiers'
import { entities, searchShapes } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { SearchFigures, SearchShape } from '@/lib/definitions/search-shape'

/** Shapes kept of an entity; beyond that those that are old or took the least time are dropped. */
export const MAX_SHAPES = 100

/** Runs of a shape since the last write. */
export type NotedSearch = SearchFigures & {
  entity: string
  /** SHA-256 of the shape's JSON. */
  hash: string
  shape: SearchShape
  lastMs: number
  lastAt: Date
  /** Otherwise it counts only where the shape is stored already. */
  isKnown: boolean
}

const OLD = sql`interval '30 days'`

/** Adds the runs to the stored figures, in an order in which concurrent calls can't deadlock. */
export async function saveShapes(db: Db, noted: readonly NotedSearch[]): Promise<void> {
  await db.execute(sql`
    insert into ${searchShapes} as s (entity, hash, shape, runs, total_ms, max_ms, last_ms, last_at)
    select n.entity, n.hash, n.shape, n.runs, n."totalMs", n."maxMs", n."lastMs", n."lastAt"
    from jsonb_to_recordset(${JSON.stringify(noted)}::text::jsonb) as n(entity text, hash text, shape jsonb, runs bigint,
      "totalMs" float8, "maxMs" float8, "lastMs" float8, "lastAt" timestamptz, "isKnown" boolean)
    where exists (select from ${entities} e where e.name = n.entity)
      and (n."isKnown" or exists (select from ${searchShapes} k where k.entity = n.entity and k.hash = n.hash))
    order by n.entity, n.hash
    on conflict (entity, hash) do update set runs = s.runs + excluded.runs, total_ms = s.total_ms + excluded.total_ms,
      max_ms = greatest(s.max_ms, excluded.max_ms), last_ms = excluded.last_ms, last_at = excluded.last_at`)
  await dropCheapest(db, [...new Set(noted.map(({ entity }) => entity))])
}

async function dropCheapest(db: Db, names: readonly string[]): Promise<void> {
  await db.execute(sql`
    delete from ${searchShapes} s using (
      select entity, hash, row_number() over (partition by entity
        order by last_at > now() - ${OLD} desc, total_ms desc, hash) as n
      from ${searchShapes} where entity = any(${textArray(names)})) as ranked
    where s.entity = ranked.entity and s.hash = ranked.hash and ranked.n > ${MAX_SHAPES}::int`)
}
