import { sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { TableName } from '@/lib/definitions/definition'

type Found = { at: number; oid: string | null; version: string | null }

/**
 * A text for each table that changes whenever its records do: null where there is no table. Where no
 * version is kept (see docs/decisions/0027) the whole table is read.
 */
export async function recordVersions(
  tx: Db,
  tables: readonly TableName[],
): Promise<(string | null)[]> {
  if (tables.length === 0) return []
  const asked = JSON.stringify(tables.map(({ schema, name }, at) => ({ at, schema, name })))
  const found = await rows<Found>(
    tx,
    sql`select q.at, q.relation::oid::text as oid, kept.version
      from (select at, to_regclass(format('%I.%I', schema, name)) as relation
        from json_to_recordset(${asked}::text::json) as t(at int, schema text, name text)) q
      left join lateral engine.total_of(q.relation) kept on true order by q.at`,
  )
  const versions: (string | null)[] = []
  for (const { at, oid, version } of found) {
    const table = tables[at]
    versions.push(oid && table ? `${oid} ${version ?? (await fingerprint(tx, table))}` : null)
  }
  return versions
}

/** Each version of a row has a place and a transaction of its own. */
async function fingerprint(tx: Db, table: TableName): Promise<string> {
  const query = sql`select count(*) || ' ' || coalesce(sum(hashtextextended(t.ctid::text || t.xmin::text, 0)), 0) as print
    from ${tableSql(table)} as t`
  return one(await rows<{ print: string }>(tx, query)).print
}
