import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { prepareRecords } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { columnList, incoming, recordset } from '@/lib/rows/record-columns'
import { pick } from '@/lib/rows/select-records'
import { isObject, type JsonObject, stringifyExactly } from '@/lib/values/json'
import { keyRecord } from '../key-record'
import { requireNone } from '../links/sent-links'
import { removeWithin } from '../remove-within'
import { locatedLater } from './located'
import type { NestedWriting, Owners } from './nested-writing'
import { noChild, ownChildren } from './own-children'
import type { SentChildren } from './sent-children'

/** Deletes the children that a request names, for good. Throws `invalid_input` that names each key that no child has which may be read. */
export const removeChildren = (
  tx: Db,
  writing: NestedWriting,
  { list: { entity }, inverse, remove, owners: [first] }: SentChildren,
  owners: Owners,
): Promise<void> =>
  locatedLater(first?.pointer, async () => {
    if (remove.length === 0 || !inverse) return
    const ownerOf = (at: number): JsonObject => owners.get(remove[at]?.parent ?? -1) ?? {}
    const keys = remove.map(({ value }, at) => {
      const key = keyRecord(entity, value)
      const owner = ownerOf(at)
      const known = entity.keys.filter((name) => Object.hasOwn(owner, name))
      return isObject(key) ? { ...pick(owner, known), ...key } : key
    })
    const { rows } = await prepareRecords(entity, keys, 'update')
    const own = await ownChildren(tx, entity, inverse, rows, ownerOf)
    const found = new Set(own.map(({ index }) => index))
    requireNone(
      remove.flatMap(({ value, pointer }, at) =>
        found.has(at) ? [] : [{ field: pointer, error: noChild(entity, value) }],
      ),
    )
    await removeWithin(tx, writing, entity, haveKeys(entity, own))
  })

function haveKeys(entity: Entity, rows: readonly PreparedRow[]): SQL {
  const { keys } = entity
  const json = stringifyExactly(rows.map(({ values }) => pick(values, keys)))
  const listed = sql`select ${sql.join(keys.map(incoming), sql`, `)} from ${recordset(entity, json, keys)}`
  return sql`(${columnList(keys)}) in (${listed})`
}
