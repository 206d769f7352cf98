import { type SQL, sql } from 'drizzle-orm'
import { affectedRows } from '@/lib/db/affected-rows'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { columnList } from '../record-columns'
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
    const first = at === 0 ? where : anyOf(others.map((link) => refersToGone(link, gone)))
    await note(tx, entity, keys, first, lock)
    const own = cascades.filter(({ to }) => to.name === entity.name)
    const within = anyOf(own.map((link) => refersToGone(link, gone)))
    while (own.length > 0 && (await note(tx, entity, keys, within, lock)) > 0);
  }
  return gone
}

export async function forgetGone(tx: Db, gone: Gone): Promise<void> {
  for (const keys of gone.values()) await tx.execute(sql`drop table ${keys}`)
}

function note(
  tx: Db,
  entity: Entity,
  keys: SQL | ReturnType<typeof sql.identifier>,
  where: SQL,
  lock: boolean,
) {
  const list = columnList(entity.keys)
  const known = sql`(${list}) in (select ${list} from ${keys})`
  return affectedRows(
    tx,
    sql`insert into ${keys} select ${list} from ${tableSql(entity.table)} as "$row"
        where (${where}) and not (${known}) ${lock ? rowLock(entity) : sql``}`,
  )
}

/** On the nodes of a cluster, where records can't be locked one by one, the table is locked against other writers. */
export async function holdOnNodes(tx: Db, { isDistributed, table }: Entity): Promise<void> {
  if (isDistributed)
    await tx.execute(sql`lock table ${tableSql(table)} in share row exclusive mode`)
}

export const rowLock = ({ isDistributed }: Entity): SQL => (isDistributed ? sql`` : sql`for update`)

const anyOf = (conditions: readonly SQL[]): SQL =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join([...conditions], sql` or `)})`

/** Whether a record of the referring entity refers to one that goes. */
function refersToGone({ columns, fields, to }: Link, gone: Gone): SQL {
  const keys = columnList(to.keys)
  const target = sql`select ${columnList(fields)} from ${tableSql(to.table)} where (${keys}) in (select ${keys} from ${gone.get(to.name)})`
  return sql`(${columnList(columns)}) in (${target})`
}

/** The number of records that refer to one that goes, and stay themselves. */
export async function countStaying(tx: Db, link: Link, gone: Gone): Promise<number> {
  const query = sql`select count(*)::float8 as total from ${tableSql(link.from.table)} where ${staying(link, gone)}`
  return one(await rows<{ total: number }>(tx, query)).total
}

/** The records that refer to one that goes, and stay themselves. */
export function staying(link: Link, gone: Gone): SQL {
  const going = gone.get(link.from.name)
  const keys = columnList(link.from.keys)
  const stays = going ? sql`(${keys}) not in (select ${keys} from ${going})` : sql`true`
  return sql`${refersToGone(link, gone)} and ${stays}`
}

export async function countGone(tx: Db, keys: SQL): Promise<number> {
  return one(await rows<{ total: number }>(tx, sql`select count(*)::float8 as total from ${keys}`))
    .total
}
