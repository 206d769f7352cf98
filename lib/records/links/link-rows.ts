import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows as rowsOf } from '@/lib/db/sql'
import { linkFields } from '@/lib/definitions/link'
import { columnList, INDEX_COLUMN, recordset } from '@/lib/rows/record-columns'
import { POSITION } from '@/lib/rows/select-records'
import { columnSql } from '@/lib/search/sql-terms'
import { type JsonObject, stringifyExactly } from '@/lib/values/json'
import { isSame, keyName, shownOf, shownRows } from '../shown-rows'
import type { ReadableList } from './link-lists'
import type { AskedPairs, LinkPair } from './link-pairs'

/** The positions of the pairs that records of the link have, as the writer reads them. */
export async function linkedAlready(
  tx: Db,
  list: ReadableList,
  pairs: readonly LinkPair[],
): Promise<ReadonlySet<number>> {
  const fields = linkFields(list.link)
  const json = jsonOf(pairs.map(({ values }, at) => ({ [INDEX_COLUMN]: at, ...values })))
  const found = await rowsOf<{ index: number }>(
    tx,
    sql`select n.${POSITION} as index from ${recordset(list.link, json, [INDEX_COLUMN, ...fields])}
      join (${shownLinks(list)}) as v on ${isSame(fields)}`,
  )
  return new Set(found.map(({ index }) => index))
}

/**
 * The records of the link that go, as a condition on them: those that are to be removed, and those of an owner of a set which
 * lead to another record than the set names. What the writer may not read on either side stays. Found by what was sent, by
 * indexes, however many there are.
 */
export function goingLinks(list: ReadableList, { add, remove, owners }: AskedPairs): SQL {
  const { link, inverse } = list
  const fields = linkFields(link)
  const ownFields = inverse.pairs.map(({ field }) => field.name)
  const keys = link.keys.map((_, at) => sql`v.${keyName(at)}`)
  const keysBy = (records: JsonObject[], names: readonly string[]) =>
    sql`select ${sql.join(keys, sql`, `)} from ${recordset(link, jsonOf(records), names)}
      join (${shownLinks(list)}) as v on ${isSame(names)}`
  const isNamed = sql`exists (select from ${recordset(link, jsonOf(add.map(valuesOf)), fields)} where ${isSame(fields)})`
  return sql`(${columnList(link.keys)}) in (${keysBy(remove.map(valuesOf), fields)}
    union all ${keysBy(owners, ownFields)} where not ${isNamed} and ${leadsOn(list)})`
}

const valuesOf = ({ values }: LinkPair) => values

const jsonOf = (records: JsonObject[]): string => stringifyExactly(records)

/** Whether `v` leads to a record that the writer may read. */
function leadsOn({ inverse: { target, link } }: ReadableList): SQL {
  const own = link.beyond.map(({ field }) => sql`v.${sql.identifier(field.name)}`)
  const far = link.beyond.map((pair) => columnSql({ ...pair.own, path: [] }))
  return sql`(${sql.join(own, sql`, `)}) in (select ${sql.join(far, sql`, `)} from ${shownOf(target)})`
}

const shownLinks = ({ link, inverse }: ReadableList): SQL =>
  shownRows(link, inverse.link.target, linkFields(link))
