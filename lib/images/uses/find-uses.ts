import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { targetOf } from '@/lib/registry/target'
import { namingFields, titleOf } from '@/lib/search/naming-fields'
import { recordJson } from '@/lib/search/record-json'
import type { OutputField } from '@/lib/search/resolved'
import { type JsonObject, parseJson } from '@/lib/values/json'
import { type ImageUse, USES_OF_ENTITY } from '../uses-contract'
import type { UsesSql } from './uses-sql'

/** Hidden records of one entity that are counted. */
const COUNTED = 1000

type Row = { record: string; fields: string }

/** The first records of an entity that refer to an image, by key, and whether there are more. */
export async function findUses(
  db: Db,
  entity: Entity,
  { where, fields }: UsesSql,
): Promise<{ uses: ImageUse[]; more: boolean }> {
  const named = namingFields(entity)
  const keys = sql.join(
    entity.keys.map((key) => sql.identifier(key)),
    sql`, `,
  )
  const found = await rows<Row>(
    db,
    sql`select ${recordJson(targetOf(entity), outputOf(entity, named))} as record,
        to_json(${fields})::text as fields
      from ${tableSql(entity.table)} where ${where} order by ${keys} limit ${USES_OF_ENTITY + 1}`,
  )
  const uses = found.slice(0, USES_OF_ENTITY).map((row) => useOf(entity, row, named))
  return { uses, more: found.length > USES_OF_ENTITY }
}

function useOf(entity: Entity, { record, fields }: Row, named: readonly string[]): ImageUse {
  const values = parseJson(record) as JsonObject
  return {
    entity: entity.name,
    persistenceId: String(values.persistenceId),
    title: titleOf(values, named),
    fields: parseJson(fields) as string[],
  }
}

function outputOf(entity: Entity, names: readonly string[]): OutputField[] {
  const named = targetOf(entity).fields.filter(({ name }) => names.includes(name))
  const fields = named.map(
    (field): OutputField => ({
      type: 'field',
      field: { ...field, path: [] },
    }),
  )
  return [{ type: 'id' }, ...fields]
}

/** The number of records of an entity that match, up to a thousand. */
export async function countUses(db: Db, { table }: Entity, where: SQL): Promise<number> {
  const matching = sql`select from ${tableSql(table)} where ${where} limit ${COUNTED}`
  const query = sql`select count(*)::int as total from (${matching}) as "$matching"`
  return one(await rows<{ total: number }>(db, query)).total
}
