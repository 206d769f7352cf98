import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { recordComments } from '@/lib/db/schema'
import { type Db, rows } from '@/lib/db/sql'
import type { Entity, TableName } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { recordNotFound, recordWhere } from '@/lib/records/record-where'
import { mayRead, requireRead } from '@/lib/registry/may-read'
import { findAmongAll } from '@/lib/registry/registry'
import type { SearchTarget } from '@/lib/registry/target'
import { commentKey } from '@/lib/search/comment-key'
import { restrictedTarget } from '@/lib/search/restricted-target'
import { fromSql } from '@/lib/search/sql-terms'
import { relationSql } from '@/lib/totals/keep-total'

export type RecordOf = { entityName: string; id: string; actor: Actor }

/** A record as comments name it. */
export type CommentedRecord = {
  entity: Entity
  entities: readonly Entity[]
  id: string
  key: string
}

/** The comments of one record. */
export const commentsOf = (table: TableName, key: SQL | string): SQL => {
  const { relation, keyHash, key: stored } = recordComments
  return sql`${relation} = ${relationSql(table)} and ${keyHash} = hashtextextended(${key}, 0) and ${stored} = ${key}`
}

/** The entity, as far as `actor` may read it. Throws `not_found`, `forbidden`. */
export async function readableEntity(deps: Deps, { entityName, actor }: Omit<RecordOf, 'id'>) {
  const { entity, entities } = await findAmongAll(deps, entityName)
  requireRead(actor, entity, 'A comment')
  return { entity, entities, target: restrictedTarget(entity, actor, entities) }
}

/** A query of the key of a record that the reader of `target` sees. Throws `not_found` for what is no id of any. */
export const visibleKey = (target: SearchTarget, id: string): SQL =>
  sql`select ${commentKey(target)} as "key" from ${fromSql(target, target.rule?.joins)}
    where ${recordWhere(target, id)} and ${target.rule?.sql ?? sql`true`}`

/** The record, for a change of its comments. Throws `not_found` for one that `actor` does not see, `forbidden`. */
export async function commentedRecord(deps: Deps, input: RecordOf): Promise<CommentedRecord> {
  const { entity, entities, target } = await readableEntity(deps, input)
  const [found] = await rows<{ key: string }>(deps.db, visibleKey(target, input.id))
  if (!found) throw recordNotFound(entity.name, input.id)
  return { entity, entities, id: input.id, key: found.key }
}

/** Whether `actor` sees the record now. */
export async function seesRecord(
  db: Db,
  { entity, entities, id }: CommentedRecord,
  actor: Actor,
): Promise<boolean> {
  if (!mayRead(actor, entity)) return false
  try {
    return (await rows(db, visibleKey(restrictedTarget(entity, actor, entities), id))).length > 0
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
