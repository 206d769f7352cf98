import { type SQL, sql } from 'drizzle-orm'
import { affectedRows } from '@/lib/db/affected-rows'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { columnList } from '@/lib/rows/record-columns'
import type { DeletionLinks, Link } from './deletion-links'

/** The keys of the records that a deletion removes: a temporary table for each entity, by its name. */
export type Gone = ReadonlyMap<string, SQL>

/**
 * Notes the keys of the records that match `where` and of all that go with them. `lock`: for a
 * deletion that follows in the transaction, which then finds the same records. Call `forgetGone` at the end.
 */
export async function collectGone(
  tx: Db,
  { order, links }: DeletionLinks,
  where: SQL,
  { lock }: { lock: boolean },
): Promise<Gone> {
  const gone = new Map<string, SQL>()
  for (const [at, entity] of order.entries()) {
    if (lock) await holdOnNodes(tx, entity)
    const keys = sql.identifier(`engine_gone_${at}`)
    gone.set(entity.name, sql`${keys}`)
    await tx.execute(
      sql`create temporary table ${keys} on commit drop as select ${columnList(entity.keys)} from ${tableSql(entity.table)} where false`,
    )
    const cascades = links.filter(
      ({ from, onDelete }) => onDelete === 'cascade' && from.name === entity.name,
    )
    const others = cascades.filter(({ to }) => to.name !== entity.name && gone.has(to.name))
    const noteAll = async (conditions: readonly SQL[]) => {
      let noted = 0
      for (const condition of conditions) noted += await note(tx, entity, keys, condition, lock)
      return noted
    }
    await noteAll(at === 0 ? [where] : others.map((link) => refersToGone(link, gone)))
    const own = cascades.filter(({ to }) => to.name === entity.name)
    const within = own.map((link) => refersToGone(link, gone))
    while ((await noteAll(within)) > 0);
  }
  return gone
}

export async function forgetGone(tx: Db, gone: Gone): Promise<void> {
  for (const keys of gone.values()) await tx.execute(sql`drop table ${keys}`)
}

/** Adds those that are not noted yet; `except` takes no more time for many, as `not in` would. */
function note(
  tx: Db,
  entity: Entity,
  keys: SQL | ReturnType<typeof sql.identifier>,
  where: SQL,
  lock: boolean,
) {
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

export const rowLock = ({ isDistributed }: Entity): SQL => (isDistributed ? sql`` : sql`for update`)

/** Whether the record `$row` of the referring entity refers to one that goes. */
function refersToGone({ columns, fields, to }: Link, gone: Gone): SQL {
  const keys = columnList(to.keys)
  const target = sql`select ${columnList(fields)} from ${tableSql(to.table)} where (${keys}) in (select ${keys} from ${gone.get(to.name)})`
  return sql`(${columnsOf('$row', columns)}) in (${target})`
}

/** The number of records that refer to one that goes, and stay themselves. */
export async function countStaying(tx: Db, link: Link, gone: Gone): Promise<number> {
  const query = sql`select count(*)::float8 as total from ${tableSql(link.from.table)} as "$row" where ${staying(link, gone)}`
  return one(await rows<{ total: number }>(tx, query)).total
}

/** Whether the record `$row` refers to one that goes, and stays itself. */
export function staying(link: Link, gone: Gone): SQL {
  const going = gone.get(link.from.name)
  const [own, others] = ['$row', '$going'].map((alias) => columnsOf(alias, link.from.keys))
  const stays = going
    ? sql`not exists (select from ${going} as "$going" where (${others}) = (${own}))`
    : sql`true`
  return sql`${refersToGone(link, gone)} and ${stays}`
}

const columnsOf = (alias: string, names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql`${sql.identifier(alias)}.${sql.identifier(name)}`),
    sql`, `,
  )

export async function countGone(tx: Db, keys: SQL): Promise<number> {
  return one(await rows<{ total: number }>(tx, sql`select count(*)::float8 as total from ${keys}`))
    .total
}
