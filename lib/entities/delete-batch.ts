import { sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { affectedRows } from '@/lib/db/affected-rows'
import { tableSql } from '@/lib/db/identifiers'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import type { Json } from '@/lib/json'
import type { Deps } from '@/lib/runtime'
import { countMatches } from './count-matches'
import type { Entity } from './definition'
import { emptyTable } from './empty-table'
import { refuseReferenced } from './refuse-referenced'
import { findEntity } from './registry'
import type { ConditionsInput } from './search/read-input'
import { resolveWhere } from './search/resolve-search'
import type { Resolved } from './search/resolved'
import { whereSql } from './search/to-sql'
import { targetOf } from './target'

export type DeleteBatch = ConditionsInput & {
  entityName: string
  /** Count only. */
  dryRun: boolean
  /** Refuse unless exactly so many records match. */
  expected?: number
  actor: Actor
  requestId: string
}

/**
 * Deletes all records that match, without conditions all there are, in one transaction, and answers
 * their number. Throws `forbidden` when the definition forbids deletion, `conflict` when the number is
 * not the expected one or records elsewhere still refer to one of them: nothing is deleted then.
 */
export async function deleteBatch(deps: Deps, input: DeleteBatch): Promise<number> {
  const entity = await findEntity(deps, input.entityName)
  if (!entity.definition.permissions.delete)
    throw new AppError(
      'forbidden',
      `The entity "${entity.name}" forbids deletion by its definition`,
    )
  const where = resolveWhere(targetOf(entity), input)
  if (input.dryRun) {
    const count = await countMatches(deps.db, targetOf(entity), where)
    requireExpected(count, input.expected)
    return count
  }
  try {
    return await deps.db.transaction((tx) => remove(tx, entity, where, input))
  } catch (error) {
    return await refuseReferenced(deps, entity, error)
  }
}

async function remove(
  tx: Db,
  entity: Entity,
  where: Resolved[],
  { expected, actor, requestId, conditions }: DeleteBatch,
): Promise<number> {
  const check = (count: number) => requireExpected(count, expected)
  const emptied = where.length === 0 ? await emptyTable(tx, entity.table, check) : null
  const statement = sql`delete from ${tableSql(entity.table)} where ${whereSql(where)}`
  const count = emptied ?? (await affectedRows(tx, statement))
  check(count)
  await recordAudit(tx, actor, {
    action: 'records.delete',
    objectType: entity.name,
    details: { count, query: notedQuery(conditions) },
    requestId,
  })
  return count
}

/** What goes into the audit log of a query; lists may hold thousands of values. */
const MAX_NOTED = 4096
const notedQuery = (conditions: ConditionsInput['conditions']): Json => {
  const text = JSON.stringify(conditions)
  return text.length <= MAX_NOTED ? conditions : `${text.slice(0, MAX_NOTED)}…`
}

function requireExpected(count: number, expected: number | undefined): void {
  if (expected === undefined || count === expected) return
  throw new AppError(
    'conflict',
    `${count} records match, not the ${expected} that were expected; nothing was deleted`,
    { meta: { expected, found: count } },
  )
}
