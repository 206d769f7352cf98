import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { sqlTypeOf } from '@/lib/tables/column-spec'

/** Names the fields of a JSON row, where rows of a chunk give different fields. */
export const PRESENCE_COLUMN = '$has'
/** Position of a JSON row among the records of the call. */
export const INDEX_COLUMN = '$i'
/** Of a JSON row without a key: a digest of its fields, and the number of equal rows before it. */
export const CONTENT_COLUMN = '$content'
export const ORDINAL_COLUMN = '$ordinal'
/** Of what a request does to one record: the record's id, and the request's. */
export const ID_COLUMN = '$id'
export const REQUEST_COLUMN = '$request'

const OWN_TYPES = new Map([
  [EXTRA_COLUMN, 'jsonb'],
  [PRESENCE_COLUMN, 'jsonb'],
  [INDEX_COLUMN, 'integer'],
  [CONTENT_COLUMN, 'uuid'],
  [ORDINAL_COLUMN, 'integer'],
  [ID_COLUMN, 'text'],
  [REQUEST_COLUMN, 'text'],
])

/**
 * JSON rows as a relation `n` of the named columns; missing fields are null. `json` and not `jsonb`,
 * since each row is read only once: a fifth faster.
 */
export const recordset = (entity: Entity, json: string | SQLWrapper, columns: readonly string[]) =>
  sql`json_to_recordset(${json}::text::json) as n(${typedColumns(entity, columns)})`

/** The same of one JSON object. Statements with it are prepared, those of many rows are not. */
export const singleRecord = (
  entity: Entity,
  json: string | SQLWrapper,
  columns: readonly string[],
): SQL => sql`json_to_record(${json}::text::json) as n(${typedColumns(entity, columns)})`

/**
 * JSON rows of several requests, or the one of a single request, with their ids and positions. Placeholder: `rows`.
 *
 *     rows    [{"$id":"8","$request":"r1","id":8,"title":"A"}, {"$id":"9","$request":"r2","id":9,"title":"B"}]
 *     result  ('8', 'r1', 8, 'A', 1), ('9', 'r2', 9, 'B', 2)
 */
export function requestedRows(entity: Entity, columns: readonly string[], isShared: boolean): SQL {
  const rows = sql.placeholder('rows')
  const position = sql.identifier(INDEX_COLUMN)
  const all = [ID_COLUMN, REQUEST_COLUMN, ...columns]
  if (!isShared) return sql`select n.*, 1 as ${position} from ${singleRecord(entity, rows, all)}`
  return sql`select n.*, e.at as ${position}
    from json_array_elements(${rows}::text::json) with ordinality as e(value, at), ${singleRecord(entity, sql`e.value`, all)}`
}

/** Adds the ids of a record and a request to a JSON row that has fields. */
export const requestedRow = (json: string, id: string, requestId: string): string =>
  `{"${ID_COLUMN}":${JSON.stringify(id)},"${REQUEST_COLUMN}":${JSON.stringify(requestId)},${json.slice(1)}`

function typedColumns(entity: Entity, columns: readonly string[]): SQL {
  const types = new Map(
    entity.properties.map(({ name, kind, type }) => [name, sqlTypeOf({ kind, type })]),
  )
  const typed = columns.map((name) => {
    const type = OWN_TYPES.get(name) ?? types.get(name)
    if (!type) throw new Error(`"${name}" is no column of ${entity.name}`)
    return sql`${sql.identifier(name)} ${sql.raw(type)}`
  })
  return sql.join(typed, sql`, `)
}

/** `t."name"`: of the stored row. */
export const stored = (name: string): SQL => sql`t.${sql.identifier(name)}`
/** `n."name"`: of the JSON row. */
export const incoming = (name: string): SQL => sql`n.${sql.identifier(name)}`

export const columnList = (names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  )

/** `t.key = n.key`, for each part of the key. */
export const sameKey = (entity: Entity): SQL => sameValues(entity.keys)

/**
 * The same for the JSON rows, all of which have a key. Nodes of a cluster know how many rows there are, but not that they are next to
 * each other in the index, and would read it as a whole: they get the first part of the keys as a list.
 */
export function hasKeyOf(entity: Entity, json: string): SQL {
  const [first] = entity.keys
  if (!entity.isDistributed || first === undefined) return sameKey(entity)
  const list = sql`select ${incoming(first)} from ${recordset(entity, json, [first])}`
  return sql`${sameKey(entity)} and ${stored(first)} = any (array(${list}))`
}

/** `t.target = n.column`, for each pair of the two lists. */
export function refersTo(columns: readonly string[], targets: readonly string[]): SQL {
  const pairs = columns.map((column, at) => {
    const target = targets[at]
    if (target === undefined) throw new Error(`"${column}" refers to no column`)
    return sql`${stored(target)} = ${incoming(column)}`
  })
  return sql.join(pairs, sql` and `)
}

export const sameValues = (names: readonly string[]): SQL => sameValuesIn('n', names)

/** The same for a relation of another name. */
export const sameKeyIn = (alias: string, { keys }: Entity): SQL => sameValuesIn(alias, keys)

const sameValuesIn = (alias: string, names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql`${stored(name)} = ${sql.identifier(alias)}.${sql.identifier(name)}`),
    sql` and `,
  )
