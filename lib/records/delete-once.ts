import { sql } from 'drizzle-orm'
import { auditJson, insertAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { type CompiledStatement, StatementCache } from '@/lib/db/compiled-statement'
import { databaseError } from '@/lib/db/errors'
import { rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { isCurrent } from '@/lib/registry/definition-version'
import {
  ID_COLUMN,
  INDEX_COLUMN,
  REQUEST_COLUMN,
  requestedRow,
  requestedRows,
  sameKeyIn,
} from '@/lib/rows/record-columns'
import { isRecord } from './change-statement'
import type { DeleteRecord } from './delete-record'
import { simpleKey } from './simple-key'

/** The JSON row by which one statement deletes a record; null for keys that are not simple, and of entities on the nodes of a cluster. */
export function planDeletion(entity: Entity, { id, requestId }: DeleteRecord): string | null {
  const key = entity.isDistributed ? null : simpleKey(entity, id)
  return key && requestedRow(JSON.stringify(key), id, requestId)
}

/**
 * Deletes one record by one statement, which is a transaction of its own. Returns false, with nothing written, when
 * `deleteInSteps` has to do it: there is no such record, or its definition is another one.
 */
export async function deleteOnce(
  { db }: Pick<Deps, 'db'>,
  entity: Entity,
  json: string,
  actor: Actor,
): Promise<boolean> {
  const audit = deletedAudit(actor, entity)
  try {
    const deleted = await rows(db, deleteStatement(entity, false).with({ rows: json, audit }))
    return deleted.length > 0
  } catch (error) {
    // An id may be none of the key's type, such as a number beyond it: no record has it.
    if (databaseError(error)?.code?.startsWith('22')) return false
    throw error
  }
}

export const deletedAudit = (actor: Actor, { name }: Entity): string =>
  auditJson(actor, { action: 'records.delete', objectType: name, details: { count: 1 } })

const statements = new StatementCache<Entity>()

/**
 * One statement that deletes a record, or with `isShared` one for each of several requests, and records that in the audit log. Returns
 * the place of each request, from 1 on, whose record it has deleted: none when there is no such record, others have locked one of several,
 * or the definition is no longer that of `entity`. Placeholders: `rows`, `audit`.
 */
export const deleteStatement = (entity: Entity, isShared: boolean): CompiledStatement =>
  statements.find(entity, String(isShared), () => {
    const [position, id] = [sql.identifier(INDEX_COLUMN), sql.identifier(ID_COLUMN)]
    const request = sql.identifier(REQUEST_COLUMN)
    const isFound = sql`${isRecord(entity)} and ${isCurrent(entity)}`
    const unlocked = sql`, "$found" as materialized (
        select n.* from ${tableSql(entity.table)} as t, "$incoming" as n where ${isFound} for update of t skip locked)`
    const [found, isMeant] = isShared
      ? [sql`"$found"`, sameKeyIn('n', entity)]
      : [sql`"$incoming"`, isFound]
    const added = { objectId: sql`one.${id}`, requestId: sql`one.${request}` }
    return sql`with "$incoming" as materialized (${requestedRows(entity, entity.keys, isShared)})${isShared ? unlocked : sql``},
      "$deleted" as (delete from ${tableSql(entity.table)} as t using ${found} as n where ${isMeant}
        returning n.${position}, n.${id}, n.${request}),
      "$audit" as (${insertAudit(sql.placeholder('audit'), sql`"$deleted" as one`, added)})
      select ${position}::int as at from "$deleted"`
  })
