import { type SQL, sql } from 'drizzle-orm'
import { around } from '@/lib/around'
import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { type Db, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { requireCurrent } from '@/lib/registry/definition-version'
import { keyReader, type PreparedRow } from '@/lib/rows/prepared-row'
import { refuseReferencedAmong } from '../blockers'
import { anyEffects, type Removed, removeRecords } from '../delete-linked'
import { countOf } from '../removed-keys'
import { rowsThatMay } from '../rows-that-may'
import { notCovered } from '../rule/refusals'
import { writeRuleAmong } from '../write-rule'
import { insertLinks } from './insert-links'
import type { ReadableList } from './link-lists'
import { type AskedPairs, askedPairs } from './link-pairs'
import { goingLinks, linkedAlready } from './link-rows'
import type { SentList } from './sent-links'

/** The lists of linked records that a request writes, and who does. */
export type LinkWriting = Pick<Deps, 'layers'> & {
  entity: Entity
  lists: readonly SentList[]
  actor: Actor
  requestId: string
  entities: readonly Entity[]
}

/** Makes transactions that write lists of the same link wait for each other: none finds what another has not committed. Call it first. */
export async function takeLinkTurns(tx: Db, { lists }: LinkWriting): Promise<void> {
  const tables = lists.map(({ list }) => `link ${list.link.table.schema}.${list.link.table.name}`)
  for (const name of [...new Set(tables)].sort())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/**
 * Writes the lists of records that are stored: `sent` as they came, `written` with their keys. With the rights, the history and
 * the entries in the audit log of creating and deleting records of the link. Throws `invalid_input`, `forbidden` and
 * `conflict`: the transaction is to be rolled back then.
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
    await requireCurrent(tx, list.link)
    await requireCurrent(tx, list.far)
    const own = lists.filter((one) => one.list === list)
    const asked = await askedPairs(tx, entity, list, own, rowOf)
    if (asked.remove.length > 0) requireLinkRight(writing.actor, list.link, 'delete')
    if (asked.add.length > 0) requireLinkRight(writing.actor, list.link, 'write')
    await removeLinks(tx, writing, list, asked)
    const known = await linkedAlready(tx, list, asked.add)
    const added = asked.add.filter((_, at) => !known.has(at))
    if (added.length > 0) await insertLinks(tx, writing, list.link, added)
  }
}

/** Rows with the same key are written once. */
function rowFinder(
  entity: Entity,
  sent: readonly PreparedRow[],
  written: readonly PreparedRow[],
): (index: number) => PreparedRow | undefined {
  const readKey = keyReader(entity)
  const byIndex = new Map(written.map((row) => [row.index, row]))
  const byKey = new Map(written.map((row) => [readKey(row), row]))
  const keys = new Map(sent.map((row) => [row.index, readKey(row)]))
  return (index) => byIndex.get(index) ?? byKey.get(keys.get(index) ?? null)
}

const VERBS = { write: 'new records', delete: 'deletion' } as const

function requireLinkRight(actor: Actor, { name, definition }: Entity, action: 'write' | 'delete') {
  if (!definition.permissions[action])
    throw new AppError(
      'forbidden',
      `The entity "${name}" forbids ${VERBS[action]} by its definition`,
    )
  requireRight(actor, { entity: name, action })
}

async function removeLinks(
  tx: Db,
  writing: LinkWriting,
  list: ReadableList,
  asked: AskedPairs,
): Promise<void> {
  if (asked.remove.length === 0 && asked.owners.length === 0) return
  const { actor, requestId } = writing
  const { link } = list
  const where = goingLinks(list, asked)
  const count = await countOf(tx, sql`${tableSql(link.table)} where ${where}`)
  if (count === 0) return
  requireLinkRight(actor, link, 'delete')
  await requireCovered(tx, writing, link, where, count)
  const removed = await removeThose(tx, writing, link, where)
  const details = { count: removed.count, ...anyEffects(removed) }
  await recordAudit(tx, actor, {
    ...{ action: 'records.delete', objectType: link.name, details, requestId },
  })
}

/** Throws `forbidden` where policies do not allow the deletion of all `count` records that match. */
async function requireCovered(
  tx: Db,
  { actor, entities }: LinkWriting,
  link: Entity,
  where: SQL,
  count: number,
): Promise<void> {
  const rule = writeRuleAmong(actor, link, 'delete', entities)
  if (!rule) return
  const allowed = sql`${tableSql(link.table)} where ${where} and ${rowsThatMay(rule).where}`
  if ((await countOf(tx, allowed)) < count) throw notCovered(rule)
}

/** Throws `conflict` while other records refer to one of them. */
async function removeThose(
  tx: Db,
  { layers, actor, entities }: LinkWriting,
  link: Entity,
  where: SQL,
): Promise<Removed> {
  const deletion = { entity: link, where, actor }
  try {
    return await tx.transaction((inner) =>
      around({ db: inner, layers }, 'removeRecords', { ...deletion, undo: undefined }, (used) =>
        removeRecords(used.db, link, where, actor),
      ),
    )
  } catch (error) {
    return refuseReferencedAmong(tx, { ...deletion, entities }, error)
  }
}
