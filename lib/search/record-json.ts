import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/sql'
import type { Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { compositeId } from '@/lib/registry/composite-id'
import type { SearchTarget, TargetField } from '@/lib/registry/target'
import { keyFields } from './order'
import { ID_FIELD } from './resolve-field'
import type { Expansion, FieldRef, OutputField } from './resolved'
import { columnSql, jsonSql } from './sql-terms'

/**
 * A record as JSON text, made from the columns of the row in scope. `row_to_json` makes the declared
 * part, since functions take at most 100 arguments; undeclared fields are appended as text.
 */
export function recordJson(
  target: SearchTarget,
  output: OutputField[] | null,
  expanded: Expanded = { scope: '', expand: [] },
): SQL {
  return output ? chosenJson(target, output, expanded) : wholeJson(target, expanded)
}

/** `scope` is the alias of the row in scope. */
export type Expanded = { scope: string; expand: Expansion[] }

/** All fields that are not hidden, the id, and undeclared fields as they are stored. */
function wholeJson(target: SearchTarget, expanded: Expanded): SQL {
  const columns = target.fields
    .filter(({ hidden }) => !hidden)
    .map((field) => memberOf(field, expanded))
  const declared = rowJson(target, [...columns, { name: ID_FIELD, value: idSql(target) }])
  if (target.extraColumn === null) return declared
  const extra = withoutDeclared(target, target.extraColumn)
  const end = sql`case when ${extra} <> '{}' then ',' || substr((${extra})::text, 2) else '}' end`
  // Written once: with nested records, writing it twice would repeat it eight times three levels down.
  return sql`(left(${declared}, -1) || ${end})`
}

/** A name that was undeclared and is declared now must not appear twice. */
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

/** The chosen fields: columns, then those with dotted names, which may be longer than an alias. */
function chosenJson(target: SearchTarget, output: OutputField[], expanded: Expanded): SQL {
  const columns = output.flatMap((item) => {
    if (item.type === 'id') return [{ name: ID_FIELD, value: idSql(target) }]
    return isAppended(item.field) ? [] : [memberOf(item.field, expanded)]
  })
  const paths = output.flatMap((item) =>
    item.type === 'field' && isAppended(item.field) ? [item.field] : [],
  )
  const declared = rowJson(target, columns)
  if (paths.length === 0) return declared
  const appended = membersSql(paths)
  if (columns.length === 0) return sql`('{' || ${appended} || '}')`
  return sql`(left(${declared}, -1) || ',' || ${appended} || '}')`
}

/** `"address.city":"Rome","tags.0":null` */
function membersSql(paths: FieldRef[]): SQL {
  const members = paths.map((field) => {
    const label = `${JSON.stringify(field.name)}:`
    const value = formatted(field.kind, columnSql(field))
    const json = field.path.length > 0 ? jsonSql(field) : sql`to_json(${value})`
    return sql`${label}::text || coalesce((${json})::text, 'null')`
  })
  return joinedMembers(members)
}

const isAppended = ({ path, isJoined }: FieldRef) => path.length > 0 || isJoined === true

type Member = { name: string; value: SQL }

/** Of the same text for a table on nodes, which take no subquery without a table. */
function rowJson({ isDistributed }: SearchTarget, members: Member[]): SQL {
  if (isDistributed) return sql`('{' || ${joinedMembers(members.map(memberJson))} || '}')`
  const columns = members.map(({ name, value }) => sql`${value} as ${sql.identifier(name)}`)
  return sql`(select row_to_json("$r")::text from (select ${sql.join(columns, sql`, `)}) as "$r")`
}

const memberJson = ({ name, value }: Member): SQL =>
  sql`${`${JSON.stringify(name)}:`}::text || coalesce(to_json(${value})::text, 'null')`

const joinedMembers = (members: SQL[]): SQL =>
  sql`array_to_string(array[${sql.join(members, sql`, `)}], ',')`

/** The field, or the record that it refers to (null: none) where it is expanded. */
function memberOf(field: TargetField | FieldRef, { scope, expand }: Expanded): Member {
  const expansion = expand.find((one) => one.field === field.name)
  if (!expansion) return columnOf(field)
  const { relation, column } = expansion
  const inner = `${scope}+`
  const record = recordJson(relation.target, null, { scope: inner, expand: expansion.expand })
  const pairs = [{ own: { column }, field: relation.field }, ...relation.further]
  const equal = pairs.map(
    ({ own, field }) => sql`${qualified(inner, field.column)} = ${qualified(scope, own.column)}`,
  )
  const isReferred = sql.join(equal, sql` and `)
  const value = sql`(
    select ${record} from ${tableSql(relation.target.table)} as ${sql.identifier(inner)} where ${isReferred}
  )::json`
  return { name: field.name, value }
}

const qualified = (scope: string, column: string): SQL =>
  sql`${sql.identifier(scope)}.${sql.identifier(column)}`

const columnOf = (field: TargetField | FieldRef): Member => ({
  name: field.name,
  value: formatted(field.kind, columnSql({ ...field, path: [] })),
})

/** The value as it is returned, ready for JSON. */
export const formatted = (kind: Kind, value: SQL): SQL => KINDS[kind].served(value)

/** `persistenceId`: the key as text; for several keys, base64url of their JSON object. */
export function idSql(target: SearchTarget): SQL {
  const keys = keyFields(target)
  const [only] = keys
  if (keys.length === 1 && only) return sql`${columnSql(only)}::text`
  return compositeId(
    rowJson(
      target,
      keys.map((key) => ({ name: key.name, value: columnSql(key) })),
    ),
  )
}
