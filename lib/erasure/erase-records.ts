import { type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, requireRight } from '@/lib/auth/rights'
import type { Budget } from '@/lib/db/budget'
import { type Db, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { refuseReferenced } from '@/lib/records/blockers'
import { removeRecords } from '@/lib/records/delete-linked'
import { requireExpected } from '@/lib/records/preconditions'
import { ruledMatches } from '@/lib/records/removed-keys'
import { allRows } from '@/lib/records/rows-that-may'
import { findEntity } from '@/lib/registry/registry'
import type { ConditionsInput } from '@/lib/search/read-input'
import { requireRecentlyConfirmed } from '@/lib/second-factors/confirm-identity'
import { settlePending } from '@/lib/tables/settle-pending'
import type { RecordsErasure } from './contract'
import { countsOf, together } from './parts'
import { newPseudonym } from './person/pseudonym'
import { collectErased } from './records/collect'
import { textsIn } from './records/condition-texts'
import { eraseCopies, eraseFromAudit } from './records/copies'
import { eraseViews } from './records/saved-views'
import { eraseWaitingMails } from './records/waiting-mails'
import { inErasureTime } from './time-limit'
import { inTrial } from './trial'

export type EraseRecords = ConditionsInput & {
  entityName: string
  dryRun: boolean
  expected?: number
  expectedOthers?: number
  /** Ids of saved views that are deleted, too. */
  views?: readonly string[]
}
type Caller = { actor: Actor; requestId: string; client: Budget['client'] }

/**
 * Deletes the records that match, and all copies of them and of records that matched before, in one transaction; also where the
 * definition forbids deletion. `dryRun` does the same and takes it back. Throws `invalid_input` without conditions or the number of
 * records, `conflict` for another number, of other records too, for records that others refer to, and for a view without a value of the conditions, `unavailable` when it takes too
 * long, and `forbidden` for a session that must confirm first, and for those who may not read and delete records of the entity.
 */
export async function eraseRecords(
  deps: Deps,
  input: EraseRecords,
  caller: Caller,
): Promise<RecordsErasure> {
  const entity = await findEntity(deps, input.entityName)
  const { actor } = caller
  const { dryRun } = input
  for (const action of ['read', 'delete'] as const)
    requireRight(actor, { entity: entity.name, action })
  requireConditions(input)
  if (!dryRun) await requireRecentlyConfirmed(deps.db, actor)
  const { where } = allRows(entity, input, actor)
  return inErasureTime(deps, { dryRun, client: caller.client }, async () => {
    await settlePending(deps.db, { entities: [entity.name] })
    try {
      const work = (tx: Db) => erase(tx, deps, { entity, where }, { ...input, ...caller })
      return { dryRun, ...(await inTrial(deps.db, dryRun, work)) }
    } catch (error) {
      return refuseReferenced(deps, { entity, where, actor }, error)
    }
  })
}

/** The stages. */
async function erase(
  tx: Db,
  { secret }: Pick<Deps, 'secret'>,
  { entity, where }: { entity: Entity; where: SQL },
  input: EraseRecords & Caller,
) {
  const { actor, requestId } = input
  // What is written after it was counted would be deleted, too, and its copies would stay.
  if (!input.dryRun)
    await tx.execute(sql`lock table ${tableSql(entity.table)} in share row exclusive mode`)
  const matches = entity.isDistributed ? await ruledMatches(tx, entity, where) : where
  const ofCopies = await collectErased(tx, entity, matches)
  const removed = await removeRecords(tx, entity, matches, actor)
  const others = removed.effects.reduce((sum, { count }) => sum + (count ?? 0), ofCopies)
  if (!input.dryRun) requireAsTold(input, { records: removed.count, others })
  const copies = await eraseCopies(tx, entity)
  const mails = await eraseWaitingMails(tx, secret, entity.name)
  const texts = textsIn(input.conditions)
  const { part: ofViews, views } = await eraseViews(tx, { texts, chosen: input.views ?? [] })
  const audited = await eraseFromAudit(tx, entity, { as: newPseudonym().name, texts })
  const { schema, name } = entity.table
  const own = { table: `${schema}.${name}`, deleted: removed.count, changed: 0 }
  const parts = together([own, ...copies, mails, ofViews, audited])
  await recordAudit(tx, actor, {
    action: 'records.erase',
    objectType: entity.name,
    details: { count: removed.count, others, tables: countsOf(parts) },
    requestId,
  })
  return { records: removed.count, others, parts, effects: removed.effects, views }
}

/** Throws `conflict` unless as many records are erased as the dry run said, and as many others lose something by it. */
function requireAsTold(
  { expected, expectedOthers = 0 }: EraseRecords,
  { records, others }: { records: number; others: number },
): void {
  requireExpected(records, expected, { noun: 'record', done: 'erased' })
  if (others === expectedOthers) return
  throw new AppError(
    'conflict',
    `${others} other records would be erased or changed, too, not the ${expectedOthers} that were expected (expectedOthers); nothing was erased`,
    { meta: { expectedOthers, others } },
  )
}

function requireConditions({ conditions, expected, dryRun }: EraseRecords): void {
  const missing = (field: string, error: string) =>
    new AppError('invalid_input', error, { validations: [{ field, error }] })
  if (conditions.length === 0)
    throw missing('query', 'Give at least one condition: an erasure of all records is not meant')
  if (!dryRun && expected === undefined)
    throw missing('expected', 'Give the number of records that the dry run says')
}
