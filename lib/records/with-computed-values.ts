import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { rows as rowsOf } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import { fieldsOf, parseExpression } from '@/lib/definitions/computed-expression'
import type { Entity, Property } from '@/lib/definitions/definition'
import { columnOf } from '@/lib/tables/column-spec'
import type { Json } from '@/lib/values/json'
import { type Encode, jsonChunks } from './json-chunks'
import type { PreparedRow } from './prepared-row'
import { given, INDEX_COLUMN, PRESENCE_COLUMN, recordset, sameKey, stored } from './record-columns'

type Computed = { index: number; values: (string | null)[] }

/**
 * The rows with the values of those of `columns` that the database computes, as texts. Fields that a row
 * lacks count as they are stored.
 */
export async function withComputedValues(
  db: Db,
  entity: Entity,
  rows: PreparedRow[],
  columns: readonly string[],
): Promise<PreparedRow[]> {
  const computed = entity.properties.filter(
    ({ name, rules }) => rules.computed !== undefined && columns.includes(name),
  )
  if (computed.length === 0) return rows
  const sources = [...new Set([...entity.keys, ...computed.flatMap(sourcesOf)])]
  const found = new Map<number, Record<string, Json>>()
  for (const { json } of jsonChunks(rows, encoderOf(sources)))
    for (const { index, values } of await rowsOf<Computed>(
      db,
      computedOf(entity, computed, sources, json),
    ))
      found.set(
        index,
        Object.fromEntries(computed.map(({ name }, at) => [name, values[at] ?? null])),
      )
  return rows.map(({ index, values, extra }) => ({
    index,
    values: { ...values, ...found.get(index) },
    extra,
  }))
}

const sourcesOf = ({ rules }: Property): string[] => fieldsOf(parseExpression(rules.computed ?? ''))

const encoderOf =
  (sources: readonly string[]): Encode =>
  ({ index, values }) => {
    const names = sources.filter((name) => name in values)
    const picked = names.map((name): [string, Json] => [name, values[name] ?? null])
    const all = [[INDEX_COLUMN, index], [PRESENCE_COLUMN, names], ...picked]
    return JSON.stringify(Object.fromEntries(all))
  }

function computedOf(
  entity: Entity,
  computed: readonly Property[],
  sources: readonly string[],
  json: string,
): SQL {
  const [at, presence] = [sql.identifier(INDEX_COLUMN), sql.identifier(PRESENCE_COLUMN)]
  const values = computed.map((property) => {
    const column = columnOf(entity, property)
    return sql`((${column.computed})::${sql.raw(column.sqlType)})::text`
  })
  const whole = sources.map(
    (name) =>
      sql`case when n.${presence} ? ${name}::text then ${given(name)} else ${stored(name)} end as ${sql.identifier(name)}`,
  )
  return sql`select ${at} as index, array[${sql.join(values, sql`, `)}] as values from (
      select n.${at}, ${sql.join(whole, sql`, `)}
      from ${recordset(entity, json, [INDEX_COLUMN, PRESENCE_COLUMN, ...sources])}
        left join ${tableSql(entity.table)} as t on ${sameKey(entity)}
    ) as whole`
}
