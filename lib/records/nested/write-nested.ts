import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Validation } from '@/lib/errors'
import { requireCurrent } from '@/lib/registry/definition-version'
import { prepareRecords } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { fieldOf } from '@/lib/rows/record-faults'
import { requireNone } from '../links/sent-links'
import { takeLinkTurns, writeLinks } from '../links/write-links'
import { ownerValues, rowFinder } from '../owner-values'
import { requireShownRows } from '../shown-values'
import { insertChildren } from './insert-children'
import { locatedLater } from './located'
import type { NestedWriting, Owners, WrittenChildren } from './nested-writing'
import { removeChildren } from './remove-children'
import { allLinkLists, type ChildRecords, entitiesBelow, type SentChildren } from './sent-children'
import { updateChildren } from './update-children'

/**
 * Call it first, as `takeLinkTurns`. Throws as `requireCurrent` does for each entity below: once records are written, a new undeclared
 * name makes theirs another one.
 */
export async function takeTurns(tx: Db, writing: NestedWriting): Promise<void> {
  await takeLinkTurns(tx, allLinkLists(writing))
  for (const entity of entitiesBelow(writing)) await requireCurrent(tx, entity)
}

/**
 * Writes the linked records and the children of records that are stored: `sent` as they came, `written` with their keys. With the
 * rights, the history and the entries in the audit log of requests that write them alone. Returns the undeclared names that are new.
 * Throws as those do: the transaction is to be rolled back then.
 */
export async function writeNested(
  tx: Db,
  writing: NestedWriting,
  sent: readonly PreparedRow[],
  written: readonly PreparedRow[],
): Promise<string[]> {
  await writeLinks(tx, writing, sent, written)
  if (writing.nested.length === 0) return []
  const rowOf = rowFinder(writing.entity, sent, written)
  const names: string[] = []
  for (const children of writing.nested)
    names.push(...(await writeChildren(tx, writing, children, rowOf)))
  return names
}

async function writeChildren(
  tx: Db,
  writing: NestedWriting,
  children: SentChildren,
  rowOf: (index: number) => PreparedRow | undefined,
): Promise<string[]> {
  const { entity } = children.list
  const owners = await ownersOf(tx, writing, children, rowOf)
  await removeChildren(tx, writing, children, owners)
  const updated = await updateChildren(tx, writing, children, owners)
  const created = await insertChildren(tx, writing, children, owners)
  const further = async ({ lists, nested }: ChildRecords, { sent, rows }: WrittenChildren) =>
    writeNested(tx, { ...writing, entity, lists, nested }, sent, rows)
  return [
    ...updated.newExtraFields,
    ...created.newExtraFields,
    ...(await further(children.update, updated)),
    ...(await further(children.create, created)),
  ]
}

/** As children have the values. */
async function ownersOf(
  tx: Db,
  writing: NestedWriting,
  { list, owners }: SentChildren,
  rowOf: (index: number) => PreparedRow | undefined,
): Promise<Owners> {
  const { entity } = writing
  const faults: Validation[] = []
  const entries = owners.map(({ index, pointer }) => {
    const row = rowOf(index)
    if (!row) throw new Error('A record with children was not stored')
    return { index, pointer, row }
  })
  const rows = entries.map(({ row }, index) => ({ ...row, index }))
  const first = owners[0]?.pointer
  await locatedLater(first, () => requireShownRows(tx, entity, list, rows, writing))
  const referring = { pairs: list.pairs, from: list.entity }
  const values = await ownerValues(tx, entity, referring, entries, faults)
  requireNone(faults)
  const { rows: fit, faults: unfit } = await prepareRecords(list.entity, values, 'set')
  requireNone(
    unfit.flatMap(({ index: at = -1, pointer, message }) => {
      const name = fieldOf(pointer)
      const error = `No ${list.entity.name} can refer to the record: "${name}" ${message}`
      return isComputed(list.entity, name) ? [] : [{ field: entries[at]?.pointer ?? '', error }]
    }),
  )
  const stored = new Map(fit.map((row) => [row.index, row.values]))
  return new Map(entries.map(({ index }, at) => [index, stored.get(at) ?? values[at] ?? {}]))
}

/** A further part of a reference may be. */
const isComputed = ({ properties }: Entity, field: string): boolean =>
  properties.some(({ name, rules }) => name === field && rules.computed !== undefined)
