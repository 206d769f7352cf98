import { type SQL, sql } from 'drizzle-orm'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import { affectedRows, type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { columnList } from '@/lib/rows/record-columns'
import type { DeletionLinks, Link } from './deletion-links'

/** The keys of the records that a deletion removes: a temporary table for each entity, by its name. */
export type RemovedKeys = ReadonlyMap<string, SQL>

/**
 * Collects the keys of the records that match `where` and of all that go with them. Call `dropRemoved` at the end.
 *
 * An author whose books go with him, and books whose sequels do (`where`: the author 1; book 10 is his, 11 follows 10):
 *
 *     Author  engine_removed_0: (1)
 *     Book    engine_removed_1: (10), then by the reference to itself (11)
 *
 * `lock`: for a deletion that follows in the transaction, which then finds the same records.
 */
export async function collectRemoved(
  tx: Db,
  { order, links }: DeletionLinks,
  where: SQL,
  { lock }: { lock: boolean },
): Promise<RemovedKeys> {
  const removed = new Map<string, SQL>()
  for (const [at, entity] of order.entries()) {
    if (lock) await holdOnNodes(tx, entity)
    const keys = sql`${sql.identifier(`engine_removed_${at}`)}`
    removed.set(entity.name, keys)
    await tx.execute(
      sql`create temporary table ${keys} on commit drop as select ${columnList(entity.keys)} from ${tableSql(entity.table)} where false`,
    )
    const addAll = async (conditions: readonly SQL[]) => {
      let added = 0
      for (const condition of conditions) added += await addKeys(tx, entity, keys, condition, lock)
      return added
    }
    const cascades = links.filter(
      ({ from, onDelete }) => onDelete === 'cascade' && from.name === entity.name,
    )
    const others = cascades.filter(({ to }) => to.name !== entity.name && removed.has(to.name))
    await addAll(at === 0 ? [where] : others.map((link) => refersToRemoved(link, removed)))
    const own = cascades.filter(({ to }) => to.name === entity.name)
    const within = own.map((link) => refersToRemoved(link, removed))
    while ((await addAll(within)) > 0);
  }
  return removed
}

export async function dropRemoved(tx: Db, removed: RemovedKeys): Promise<void> {
  for (const keys of removed.values()) await tx.execute(sql`drop table ${keys}`)
}

/** Adds those that are not there yet; `except` takes no more time for many, as `not in` would. */
function addKeys(tx: Db, entity: Entity, keys: SQL, where: SQL, lock: boolean): Promise<number> {
  const list = columnList(entity.keys)
  const found = sql`select ${list} from ${tableSql(entity.table)} as "$row" where ${where} ${lock ? rowLock(entity) : sql``}`
  return affectedRows(
    tx,
    sql`insert into ${keys} select * from (${found}) as found except select * from ${keys}`,
  )
}

/** On the nodes of a cluster, where records can't be locked one by one, the table is locked against other writers. */
export async function holdOnNodes(tx: Db, { isDistributed, table }: Entity): Promise<void> {
  if (isDistributed)
    await tx.execute(sql`lock table ${tableSql(table)} in share row exclusive mode`)
}

/**
 * The records that match `where`, which a rule is part of, as a condition for deletions: on nodes of a cluster by their keys,
 * as no deletion there follows references or takes JSON apart. Then others do not write until the commit. Once a transaction.
 */
export async function ruledMatches(tx: Db, entity: Entity, where: SQL): Promise<SQL> {
  if (!entity.isDistributed) return where
  await tx.execute(sql`select ${ONE_AFTER_THE_OTHER}`)
  await holdOnNodes(tx, entity)
  const keys = columnList(entity.keys)
  await tx.execute(
    sql`create temporary table engine_matched on commit drop as select ${keys} from ${tableSql(entity.table)} where ${where}`,
  )
  return sql`(${keys}) in (select ${keys} from engine_matched)`
}

export const rowLock = ({ isDistributed }: Entity): SQL => (isDistributed ? sql`` : sql`for update`)

/** Whether the record `$row` of the referring entity refers to one that is removed. */
function refersToRemoved({ columns, fields, to }: Link, removed: RemovedKeys): SQL {
  const keys = columnList(to.keys)
  const target = sql`select ${columnList(fields)} from ${tableSql(to.table)} where (${keys}) in (select ${keys} from ${removed.get(to.name)})`
  return sql`(${columnsOf('$row', columns)}) in (${target})`
}

/** Whether the record `$row` refers to one that is removed, and stays itself. */
export function staying(link: Link, removed: RemovedKeys): SQL {
  const going = removed.get(link.from.name)
  const [own, others] = ['$row', '$going'].map((alias) => columnsOf(alias, link.from.keys))
  const stays = going
    ? sql`not exists (select from ${going} as "$going" where (${others}) = (${own}))`
    : sql`true`
  return sql`${refersToRemoved(link, removed)} and ${stays}`
}

const columnsOf = (alias: string, names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql`${sql.identifier(alias)}.${sql.identifier(name)}`),
    sql`, `,
  )

/** The number of records that refer to one that is removed, and stay themselves. */
export const countStaying = (tx: Db, link: Link, removed: RemovedKeys): Promise<number> =>
  countOf(tx, sql`${tableSql(link.from.table)} as "$row" where ${staying(link, removed)}`)

export const countKeys = (tx: Db, keys: SQL): Promise<number> => countOf(tx, keys)

/** The number of rows in a relation. */
export const countOf = async (tx: Db, from: SQL): Promise<number> =>
  one(await rows<{ total: number }>(tx, sql`select count(*)::float8 as total from ${from}`)).total
