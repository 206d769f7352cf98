import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { affectedRows } from '@/lib/db/affected-rows'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import { tableSql } from '@/lib/db/identifiers'
import { trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import { columnList } from '@/lib/rows/record-columns'
import { describeBlockers } from './blockers'
import type { DeletionLinks, Link } from './deletion-links'
import { type Effects, effectsOf } from './effects'
import {
  collectRemoved,
  dropRemoved,
  holdOnNodes,
  type RemovedKeys,
  rowLock,
  staying,
} from './removed-keys'
import { newBatch, type TrashOptions } from './trash-batch'

type Options = { trash: TrashOptions | null; actor: Actor | null }

/**
 * Deletes the records that match `where` with those that go by references, the latter first; with `trash` all of
 * them, and the values of fields that are emptied, go there. Throws `conflict` while records that stay
 * refer to one that goes, `forbidden` without the right to what happens to others.
 */
export async function deleteLinked(
  tx: Db,
  linked: DeletionLinks,
  where: SQL,
  { trash, actor }: Options,
): Promise<Effects & { batchId: string | null }> {
  const isOnNodes = [...linked.order, ...linked.links.map(({ from }) => from)].some(
    ({ isDistributed }) => isDistributed,
  )
  if (isOnNodes) await tx.execute(sql`select ${ONE_AFTER_THE_OTHER}`)
  const removed = await collectRemoved(tx, linked, where, { lock: true })
  const effects = await effectsOf(tx, linked, removed, actor)
  const { blockedBy, count } = effects
  if (blockedBy.length > 0) {
    const message = `${describeBlockers(blockedBy)} refer to records that would go; delete those first. Nothing was deleted`
    throw new AppError('conflict', message, { meta: { blockedBy } })
  }
  const batchId = count > 0 && trash ? await toTrash(tx, linked, removed, trash) : null
  for (const { name, table, keys } of linked.order.toReversed()) {
    const list = columnList(keys)
    await tx.execute(
      sql`delete from ${tableSql(table)} where (${list}) in (select ${list} from ${removed.get(name)})`,
    )
  }
  await dropRemoved(tx, removed)
  return { ...effects, batchId }
}

/** What a deletion would do. Throws as `deleteLinked` does, but not for records that prevent it. */
export async function previewLinked(
  tx: Db,
  linked: DeletionLinks,
  where: SQL,
  actor: Actor,
): Promise<Effects> {
  const removed = await collectRemoved(tx, linked, where, { lock: false })
  const effects = await effectsOf(tx, linked, removed, actor)
  await dropRemoved(tx, removed)
  return effects
}

async function toTrash(
  tx: Db,
  { order, links }: DeletionLinks,
  removed: RemovedKeys,
  trash: TrashOptions,
): Promise<string | null> {
  let rootId: string | null = null
  for (const [position, entity] of order.entries()) {
    const { name, table, keys } = entity
    const list = columnList(keys)
    const records = sql`select to_jsonb("$row") from ${tableSql(table)} as "$row" where (${list}) in (select ${list} from ${removed.get(name)})`
    const kept = await keep(tx, records, (id, count) =>
      newBatch(tx, entity, { ...trash, id, count, rootId, position }),
    )
    rootId ??= kept
  }
  for (const link of links.filter(({ onDelete }) => onDelete === 'setNull')) {
    await holdOnNodes(tx, link.from)
    await keep(tx, detachedRecords(link, removed), (id, count) =>
      newBatch(tx, link.from, {
        ...trash,
        id,
        count,
        rootId,
        position: order.length,
        detached: link.columns[0],
      }),
    )
  }
  return rootId
}

/** Keys and values of the fields that are emptied. */
function detachedRecords(link: Link, removed: RemovedKeys): SQL {
  const pairs = [...new Set([...link.from.keys, ...link.columns.slice(0, 1)])].map(
    (name) => sql`${name}::text, ${sql.identifier(name)}`,
  )
  return sql`select jsonb_build_object(${sql.join(pairs, sql`, `)}) from ${tableSql(link.from.table)} as "$row" where ${staying(link, removed)} ${rowLock(link.from)}`
}

/** Writes records to the trash; returns the id of their batch, null when there are none. */
async function keep(
  tx: Db,
  records: SQL,
  makeBatch: (id: string, count: number) => Promise<void>,
): Promise<string | null> {
  const id = crypto.randomUUID()
  const count = await affectedRows(
    tx,
    sql`insert into ${trashRecords} (batch_id, data) select ${id}::uuid, data from (${records}) as kept(data)`,
  )
  if (count === 0) return null
  await makeBatch(id, count)
  return id
}
