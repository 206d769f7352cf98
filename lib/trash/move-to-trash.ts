import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { trashBatches, trashRecords } from '@/lib/db/schema'
import { affectedRows, type Db, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { deleteLinked, type Removed } from '@/lib/records/delete-linked'
import {
  type DeletionLinks,
  deletionLinks,
  type Link,
  withoutEffects,
} from '@/lib/records/deletion-links'
import { holdOnNodes, type RemovedKeys, rowLock, staying } from '@/lib/records/removed-keys'
import { columnList } from '@/lib/rows/record-columns'
import { readColumns } from '@/lib/rows/table-constraints'

type Batch = { days: number; deletedBy: string }

type Options = Batch & { actor?: Actor | null; others?: 'follow' | 'stay' }

/**
 * Deletes the records that match `where` and keeps their contents for `days`, by one statement, so
 * that a million records take no memory of the process. Records that go with them by references are
 * kept in batches of their own, restored with this one; if others are to `stay`, they prevent the deletion,
 * whatever their references say. Throws as `deleteLinked` does; without an `actor` nothing is forbidden.
 */
export async function moveToTrash(
  tx: Db,
  entity: Entity,
  where: SQL,
  { actor = null, others = 'follow', ...batch }: Options,
): Promise<Removed> {
  const undoDays = batch.days
  const linked = await deletionLinks(tx, entity)
  if (linked) {
    const links = others === 'stay' ? withoutEffects(linked) : linked
    const keep = (all: DeletionLinks, removed: RemovedKeys) => keepLinked(tx, all, removed, batch)
    return { ...(await deleteLinked(tx, links, where, { actor, keep })), undoDays }
  }
  const id = randomUUID()
  // No field name can contain a $, so the row's alias can't clash.
  const count = await affectedRows(
    tx,
    sql`with "$deleted" as (
        delete from ${tableSql(entity.table)} as "$row" where ${where} returning "$row".*
      )
      insert into ${trashRecords} (batch_id, data) select ${id}::uuid, to_jsonb("$deleted") from "$deleted"`,
  )
  // After the deletion, whose lock keeps the table from being changed.
  if (count > 0) await addBatch(tx, entity, { ...batch, id, count })
  return { count, batchId: count > 0 ? id : null, effects: [], undoDays }
}

/** Keeps all records that a deletion removes, and the values of fields that it empties, in batches below the first one. */
async function keepLinked(
  tx: Db,
  { order, links }: DeletionLinks,
  removed: RemovedKeys,
  batch: Batch,
): Promise<string | null> {
  let rootId: string | null = null
  for (const [position, entity] of order.entries()) {
    const { name, table, keys } = entity
    const list = columnList(keys)
    const records = sql`select to_jsonb("$row") from ${tableSql(table)} as "$row" where (${list}) in (select ${list} from ${removed.get(name)})`
    const id = await keep(tx, entity, records, { ...batch, rootId, position })
    rootId ??= id
  }
  for (const link of links.filter(({ onDelete }) => onDelete === 'setNull')) {
    await holdOnNodes(tx, link.from)
    const [detached] = link.columns
    const emptied = { ...batch, rootId, position: order.length, detached }
    await keep(tx, link.from, detachedRecords(link, removed), emptied)
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
  entity: Entity,
  records: SQL,
  batch: Omit<NewBatch, 'id' | 'count'>,
): Promise<string | null> {
  const id = randomUUID()
  const count = await affectedRows(
    tx,
    sql`insert into ${trashRecords} (batch_id, data) select ${id}::uuid, data from (${records}) as kept(data)`,
  )
  if (count === 0) return null
  await addBatch(tx, entity, { ...batch, id, count })
  return id
}

type NewBatch = Batch & {
  id: string
  count: number
  rootId?: string | null
  position?: number
  detached?: string | undefined
  kind?: 'records' | 'edit' | 'import'
  created?: number
}

const DAY_MS = 24 * 60 * 60_000

/** Adds deleted, edited or imported records of an entity as a batch. Call it while the table can't be changed. */
export async function addBatch(
  tx: Db,
  entity: Entity,
  { rootId = null, position = 0, detached, kind = 'records', created = 0, ...batch }: NewBatch,
): Promise<void> {
  const columns = await readColumns(tx, entity.table)
  const isKept = (name: string) => !detached || name === detached || entity.keys.includes(name)
  await tx.insert(trashBatches).values({
    id: batch.id,
    kind,
    entity: entity.name,
    recordCount: batch.count,
    createdCount: created,
    columns: columns
      .filter(({ name }) => isKept(name))
      .map(({ name, sqlType }) => ({ name, sqlType })),
    keys: entity.keys,
    properties: entity.properties.filter(({ name }) => isKept(name)),
    deletedBy: batch.deletedBy,
    expiresAt: new Date(Date.now() + batch.days * DAY_MS),
    rootId,
    position,
    detached: detached ?? null,
  })
}
