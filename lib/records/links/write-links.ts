import { sql } from 'drizzle-orm'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { rowFinder } from '../owner-values'
import { type Removing, removeWithin } from '../remove-within'
import { requireAllowed } from '../require-allowed'
import { requireShownRows } from '../shown-values'
import { insertLinks } from './insert-links'
import type { ReadableList } from './link-lists'
import { type AskedPairs, askedPairs } from './link-pairs'
import { goingLinks, linkedAlready } from './link-rows'
import type { SentList } from './sent-links'

/** The lists of linked records that a request writes, and who does. */
export type LinkWriting = Removing & { entity: Entity; lists: readonly SentList[] }

/** Makes transactions that write lists of the same link wait for each other: none finds what another has not committed. Call it first. */
export async function takeLinkTurns(tx: Db, lists: readonly SentList[]): Promise<void> {
  const tables = lists.map(({ list }) => `link ${list.link.table.schema}.${list.link.table.name}`)
  for (const name of [...new Set(tables)].sort())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/**
 * Writes the lists of records that are stored: `sent` as they came, `written` with their keys. With the rights, the history and
 * the entries in the audit log of creating and deleting records of the link, whose definitions are to be current. Throws
 * `invalid_input`, `forbidden` and `conflict`: the transaction is to be rolled back then.
 */
export async function writeLinks(
  tx: Db,
  writing: LinkWriting,
  sent: readonly PreparedRow[],
  written: readonly PreparedRow[],
): Promise<void> {
  const { lists, entity } = writing
  const rowOf = rowFinder(entity, sent, written)
  for (const list of new Set(lists.map(({ list }) => list))) {
    const own = lists.filter((one) => one.list === list)
    const rows = own
      .flatMap(({ index }) => rowOf(index) ?? [])
      .map((row, index) => ({ ...row, index }))
    const shown = { name: list.name, entity: list.link, pairs: list.inverse.pairs }
    await requireShownRows(tx, entity, shown, rows, writing)
    const asked = await askedPairs(tx, entity, list, own, rowOf)
    if (asked.remove.length > 0) requireAllowed(writing.actor, list.link, 'delete')
    if (asked.add.length > 0) requireAllowed(writing.actor, list.link, 'write')
    await removeLinks(tx, writing, list, asked)
    const known = await linkedAlready(tx, list, asked.add)
    const added = asked.add.filter((_, at) => !known.has(at))
    if (added.length > 0) await insertLinks(tx, writing, list.link, added)
  }
}

async function removeLinks(
  tx: Db,
  writing: LinkWriting,
  list: ReadableList,
  asked: AskedPairs,
): Promise<void> {
  if (asked.remove.length === 0 && asked.owners.length === 0) return
  await removeWithin(tx, writing, list.link, goingLinks(list, asked))
}
