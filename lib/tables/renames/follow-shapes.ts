import { and, eq, sql } from 'drizzle-orm'
import { textArray } from '@/lib/db/identifiers'
import { searchShapes } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Followed, Renamed } from './follow-renames'

/** Forgets the slow searches by former names of fields, which can't be repeated; others follow the entity. */
export async function followShapes(tx: Db, { to, fields }: Renamed): Promise<Followed> {
  const former = textArray(fields.map(({ from }) => from))
  const names = sql`exists (select from jsonb_path_query(${searchShapes.shape}, '$.**') as part
    where jsonb_typeof(part) = 'string' and split_part(part #>> '{}', '.', 1) = any(${former}))`
  if (fields.length > 0)
    await tx.delete(searchShapes).where(and(eq(searchShapes.entity, to), names))
  return { what: 'search', count: 0 }
}
