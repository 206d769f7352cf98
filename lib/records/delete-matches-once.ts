import { type SQL, sql } from 'drizzle-orm'
import { auditJson, insertAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { affectedRowsSql } from '@/lib/db/compiled-statement'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import type { JsonObject } from '@/lib/values/json'
import { hasDeletionLinks } from './linked/deletion-links'

type Once = { actor: Actor; requestId: string; details: JsonObject }

/** Deletes all records that match; none where that affects others, which `deleteLinked` does; of entities on nodes the caller knows. */
export const plainDeletion = (entity: Entity, where: SQL): SQL =>
  entity.isDistributed
    ? sql`delete from ${tableSql(entity.table)} where ${where}`
    : sql`delete from ${tableSql(entity.table)} where ${where} and not ${hasDeletionLinks(entity)}`

/**
 * The same, with its entry in the audit log, whose `details` get the count, by one statement, which is a
 * transaction of its own. Returns the number; after 0 nothing was recorded either.
 */
export async function deleteMatchesOnce(
  { db }: Pick<Deps, 'db'>,
  entity: Entity,
  where: SQL,
  { actor, requestId, details }: Once,
): Promise<number> {
  const audit = auditJson(actor, {
    action: 'records.delete',
    objectType: entity.name,
    details,
    requestId,
  })
  const count = sql`jsonb_build_object('count', "$gone".count)`
  const query = sql`with "$gone" as materialized (
      select ${affectedRowsSql(plainDeletion(entity, where))}::int as count),
    "$audit" as (${insertAudit(sql`${audit}`, sql`"$gone" where "$gone".count > 0`, { details: count })})
    select count from "$gone"`
  return one(await rows<{ count: number }>(db, query)).count
}
