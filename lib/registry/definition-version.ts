import { eq, type SQL, sql } from 'drizzle-orm'
import { entities, schemas } from '@/lib/db/schema'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'

/** Name of the schema of a row of `entities`. */
export const SCHEMA_NAME = sql<string>`coalesce(${entities.definition} ->> 'engineSchema', ${entities.name})`

/**
 * Changes with each change of the rows of an entity and its schema: the transactions that wrote them.
 */
export const VERSION = sql<string>`(${entities}.xmin::text || ' ' || coalesce(${schemas}.xmin::text, ''))`

/**
 * Whether the stored definition is the one that `entity` was made of. True until the end of the
 * transaction for a statement that has locked the entity's table: a change of a definition locks the
 * table first.
 */
export const isCurrent = (entity: Entity): SQL =>
  sql`exists (select 1 from ${entities} left join ${schemas} on ${eq(schemas.name, SCHEMA_NAME)}
    where ${eq(entities.name, entity.name)} and ${VERSION} = ${entity.version ?? ''}::text)`

/** The definition has changed since it was read, so nothing was written: read it again. */
export class StaleDefinitionError extends Error {}

/**
 * Throws `StaleDefinitionError` unless the definition is that of `entity`; from then on it stays that
 * until the transaction ends.
 */
export async function requireCurrent(tx: Db, entity: Entity): Promise<void> {
  // Any use of the table locks it against those who change definitions.
  const locked = sql`(select 1 from ${tableSql(entity.table)} where false)`
  if (entity.isDistributed)
    await tx.execute(sql`lock table ${tableSql(entity.table)} in access share mode`)
  const also = entity.isDistributed ? sql`` : sql`, ${locked} as locked`
  const query = sql`select ${isCurrent(entity)} as "isCurrent"${also}`
  const { isCurrent: holds } = one(await rows<{ isCurrent: boolean }>(tx, query))
  if (!holds) throw new StaleDefinitionError()
}
