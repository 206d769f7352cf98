import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { databaseError } from '@/lib/db/errors'
import { recordComments, trashBatches, trashRecords } from '@/lib/db/schema'
import { affectedRows, type Db, rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { recordWhere } from '@/lib/records/record-where'
import { loadEntities } from '@/lib/registry/registry'
import { type SearchTarget, targetOf } from '@/lib/registry/target'
import { commentKey } from '@/lib/search/comment-key'
import { relationSql } from '@/lib/totals/keep-total'

/** Records that are looked for by one statement. */
const PART_KEYS = 200

/**
 * Deletes the comments on records that are neither stored nor in the trash, and those of tables that were dropped. What an uninstalled
 * plugin has in the trash keeps its comments. Returns how many.
 */
export async function sweepComments({ db }: Pick<Deps, 'db'>): Promise<number> {
  let swept = await affectedRows(
    db,
    sql`delete from ${recordComments} where not exists (select from pg_class where oid = relation)`,
  )
  for (const entity of await loadEntities(db)) swept += await sweepEntity(db, entity)
  return swept
}

async function sweepEntity(db: Db, entity: Entity): Promise<number> {
  let swept = 0
  let after: bigint | null = null
  do {
    const part = await db.transaction((tx) => sweepPart(tx, entity, after), SNAPSHOT)
    swept += part.swept
    after = part.last
  } while (after !== null)
  return swept
}

/** A record that is restored meanwhile is seen in the trash, or stored. */
const SNAPSHOT = { isolationLevel: 'repeatable read' } as const

type Part = { swept: number; last: bigint | null }

async function sweepPart(tx: Db, entity: Entity, after: bigint | null): Promise<Part> {
  const { key, keyHash, relation } = recordComments
  const ofEntity = eq(relation, relationSql(entity.table))
  const commented = await tx
    .selectDistinct({ key, keyHash })
    .from(recordComments)
    .where(and(ofEntity, after === null ? undefined : gt(keyHash, after)))
    .orderBy(keyHash, key)
    .limit(PART_KEYS)
  const stored = new Set(await storedAmong(tx, entity, commented.map(keyOf)))
  const absent = commented.filter((one) => !stored.has(one.key))
  const kept = new Set(await trashedAmong(tx, entity, absent.map(keyOf)))
  const missing = absent.filter((one) => !kept.has(one.key))
  const last = commented.length === PART_KEYS ? (commented.at(-1)?.keyHash ?? null) : null
  if (missing.length === 0) return { swept: 0, last }
  const deleted = await tx
    .delete(recordComments)
    .where(
      and(
        ofEntity,
        inArray(
          keyHash,
          missing.map((one) => one.keyHash),
        ),
        inArray(key, missing.map(keyOf)),
      ),
    )
    .returning({ id: recordComments.id })
  return { swept: deleted.length, last }
}

const keyOf = ({ key }: { key: string }) => key

async function storedAmong(tx: Db, entity: Entity, keys: readonly string[]): Promise<string[]> {
  const target = targetOf(entity)
  const conditions = keys.flatMap((key) => whereKey(target, key))
  if (conditions.length === 0) return []
  const found = await rows<{ key: string }>(
    tx,
    sql`select ${commentKey(target)} as "key" from ${tableSql(entity.table)}
      where ${sql.join(conditions, sql` or `)}`,
  )
  return found.map(({ key }) => key)
}

/** None for a key that no record can have any more. */
function whereKey(target: SearchTarget, key: string): SQL[] {
  try {
    return [sql`(${recordWhere(target, idOf(target, key))})`]
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

/** The inverse of `commentKey`. */
function idOf({ keys }: SearchTarget, key: string): string {
  if (keys.length === 1) return key
  const values: unknown[] = JSON.parse(key)
  const parts = Object.fromEntries(keys.map((name, at) => [name, values[at]]))
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Those that can be restored; all where the rows of the trash no longer fit the table. */
async function trashedAmong(
  tx: Db,
  entity: Entity,
  keys: readonly string[],
): Promise<readonly string[]> {
  if (keys.length === 0) return []
  // The columns of the entity's table alone are in sight of its key.
  const held = sql`select ${commentKey(targetOf(entity))} as "key" from (
      select r.data as "$data" from ${trashRecords} as r join ${trashBatches} as b on b.id = r.batch_id
      where b.entity = ${entity.name} and b.kind = 'records' and b.detached is null
    ) as "$trash", lateral jsonb_populate_record(null::${tableSql(entity.table)}, "$data")`
  const wanted = sql`jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb)`
  try {
    const found = await tx.transaction((inner) =>
      rows<{ key: string }>(
        inner,
        sql`select distinct "key" from (${held}) as held where "key" in (select ${wanted})`,
      ),
    )
    return found.map(({ key }) => key)
  } catch (error) {
    if (databaseError(error)?.code.startsWith('22') !== true) throw error
    return keys
  }
}
