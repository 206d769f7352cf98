import { type SQL, sql } from 'drizzle-orm'
import type { Kind } from '@/lib/entities/definition'
import type { SearchTarget, TargetField } from '@/lib/entities/target'
import { keyFields } from './order'
import { ID_FIELD } from './resolve-field'
import type { FieldRef, OutputField } from './resolved'
import { columnSql, jsonSql } from './sql-terms'

/**
 * A record as JSON text, made from the columns of the row in scope. `row_to_json` makes the declared
 * part, since functions take no more than 100 arguments; what is undeclared is appended as text.
 */
export function recordJson(target: SearchTarget, output: OutputField[] | null): SQL {
  return output ? chosenJson(target, output) : wholeJson(target)
}

/** All fields that are not hidden, the id, and undeclared fields as they are stored. */
function wholeJson(target: SearchTarget): SQL {
  const columns = target.fields.filter(({ hidden }) => !hidden).map(columnOf)
  const declared = rowJson([...columns, sql`${idSql(target)} as ${sql.identifier(ID_FIELD)}`])
  if (target.extraColumn === null) return declared
  const extra = withoutDeclared(target, target.extraColumn)
  return sql`(case when ${extra} <> '{}' then left(${declared}, -1) || ',' || substr((${extra})::text, 2) else ${declared} end)`
}

/** A name that was undeclared once and is declared now must not come twice. */
function withoutDeclared({ fields, extraFields }: SearchTarget, extraColumn: string): SQL {
  const taken = new Set([ID_FIELD, ...fields.map(({ name }) => name)])
  const doubled = extraFields.filter((name) => taken.has(name))
  const column = sql.identifier(extraColumn)
  if (doubled.length === 0) return sql`${column}`
  return sql`(${column} - array[${sql.join(
    doubled.map((name) => sql`${name}::text`),
    sql`, `,
  )}])`
}

/** The chosen fields: columns, then what lies inside JSON, whose names may be longer than an alias. */
function chosenJson(target: SearchTarget, output: OutputField[]): SQL {
  const columns = output.flatMap((item) => {
    if (item.type === 'id') return [sql`${idSql(target)} as ${sql.identifier(ID_FIELD)}`]
    return item.field.path.length === 0 ? [columnOf(item.field)] : []
  })
  const places = output.flatMap((item) =>
    item.type === 'field' && item.field.path.length > 0 ? [item.field] : [],
  )
  const declared = rowJson(columns)
  if (places.length === 0) return declared
  const appended = membersSql(places)
  if (columns.length === 0) return sql`('{' || ${appended} || '}')`
  return sql`(left(${declared}, -1) || ',' || ${appended} || '}')`
}

/** `"address.city":"Rome","tags.0":null` */
function membersSql(places: FieldRef[]): SQL {
  const members = places.map((field) => {
    const label = `${JSON.stringify(field.name)}:`
    return sql`${label}::text || coalesce((${jsonSql(field)})::text, 'null')`
  })
  return sql`array_to_string(array[${sql.join(members, sql`, `)}], ',')`
}

const rowJson = (columns: SQL[]): SQL =>
  sql`(select row_to_json("$r")::text from (select ${sql.join(columns, sql`, `)}) as "$r")`

const columnOf = (field: TargetField | FieldRef): SQL =>
  sql`${formatted(field.kind, columnSql({ ...field, path: [] }))} as ${sql.identifier(field.name)}`

/** The value as it is answered, once it becomes JSON. */
export const formatted = (kind: Kind, value: SQL): SQL => FORMAT[kind](value)

const asStored = (column: SQL): SQL => column

/** How values of a kind are written, where PostgreSQL's own JSON form is not what we answer. */
const FORMAT: Record<Kind, (column: SQL) => SQL> = {
  text: asStored,
  integer: asStored,
  float: asStored,
  decimal: asStored,
  boolean: asStored,
  date: asStored,
  time: asStored,
  json: asStored,
  object: asStored,
  array: asStored,
  datetime: (column) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
}

/** `persistenceId`: the key as text, of several keys base64url of their JSON object. */
export function idSql(target: SearchTarget): SQL {
  const keys = keyFields(target)
  const [only] = keys
  if (keys.length === 1 && only) return sql`${columnSql(only)}::text`
  const json = rowJson(keys.map((key) => sql`${columnSql(key)} as ${sql.identifier(key.name)}`))
  return sql`translate(encode(convert_to(${json}, 'UTF8'), 'base64'), E'+/=\n', '-_')`
}
