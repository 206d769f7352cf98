import { type SQL, sql } from 'drizzle-orm'
import type { Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { compositeId } from '@/lib/registry/composite-id'
import type { Mask, Relation, SearchTarget, TargetField } from '@/lib/registry/target'
import { leadingColumn, linkJoin } from './link-sql'
import { keyFields, orderSql } from './order'
import { ID_FIELD } from './resolve-field'
import type { Expansion, FieldRef, OutputField, RelatedList } from './resolved'
import { columnSql, extraSql, fromSql, jsonSql } from './sql-terms'
import { conditionsSql } from './to-sql'

/**
 * A record as JSON text, made from the columns of the row in scope. `row_to_json` makes the declared
 * part, since functions take at most 100 arguments; undeclared fields are appended as text.
 */
export const recordJson = (
  target: SearchTarget,
  output: OutputField[] | null,
  expanded: Expanded = { scope: '', expand: [] },
): SQL => textOf(target, output, expanded, rowJson)

/** `scope` is the alias of the row in scope. */
export type Expanded = { scope: string; expand: Expansion[] }

/** Makes the text of the declared part. */
type MakeRow = (target: SearchTarget, members: Member[]) => SQL

const textOf = (
  target: SearchTarget,
  output: OutputField[] | null,
  expanded: Expanded,
  row: MakeRow,
): SQL => (output ? chosenJson(target, output, expanded, row) : wholeJson(target, expanded, row))

/**
 * `recordJson` of each row of `from`, which is followed by what makes the declared part. A subquery in its place would be
 * run for each row.
 */
export function recordsFrom(
  target: SearchTarget,
  output: OutputField[] | null,
  expanded: Expanded,
  from: SQL,
): { json: SQL; from: SQL } {
  const beside: SQL[] = []
  const json = textOf(target, output, expanded, (target, members) => {
    if (isConcatenated(target, members)) return rowJson(target, members)
    beside.push(sql` cross join lateral ${rowQuery(members)} as "$declared"`)
    return sql`"$declared"."$json"`
  })
  return { json, from: sql.join([from, ...beside]) }
}

/** All fields that are not hidden, the id, and undeclared fields as they are stored. */
function wholeJson(target: SearchTarget, expanded: Expanded, row: MakeRow): SQL {
  const columns = target.fields
    .filter(({ hidden }) => !hidden)
    .map((field) => memberOf(field, expanded))
  const declared = row(target, [...columns, { name: ID_FIELD, value: idSql(target) }])
  const lists = listMembers(expanded)
  const stored = extraSql(target)
  if (stored === null && lists.length === 0) return declared
  const middle = lists.length > 0 ? sql` || ',' || ${joinedMembers(lists)}` : sql``
  if (stored === null) return sql`(left(${declared}, -1)${middle} || '}')`
  const extra = withoutDeclared(target, stored)
  const end = sql`case when ${extra} <> '{}' then ',' || substr((${extra})::text, 2) else '}' end`
  // Written once: with nested records, writing it twice would repeat it eight times three levels down.
  return sql`(left(${declared}, -1)${middle} || ${end})`
}

/** A name that was undeclared and is declared now must not appear twice. */
function withoutDeclared({ fields, extraFields }: SearchTarget, column: SQL): SQL {
  const taken = new Set([ID_FIELD, ...fields.map(({ name }) => name)])
  const doubled = extraFields.filter((name) => taken.has(name))
  if (doubled.length === 0) return column
  return sql`(${column} - array[${sql.join(
    doubled.map((name) => sql`${name}::text`),
    sql`, `,
  )}])`
}

/** The chosen fields: columns, then those with dotted names, which may be longer than an alias. */
function chosenJson(
  target: SearchTarget,
  output: OutputField[],
  expanded: Expanded,
  row: MakeRow,
): SQL {
  const columns = output.flatMap((item) => {
    if (item.type === 'id') return [{ name: ID_FIELD, value: idSql(target) }]
    return isAppended(item.field) ? [] : [memberOf(item.field, expanded)]
  })
  const paths = output.flatMap((item) =>
    item.type === 'field' && isAppended(item.field) ? [item.field] : [],
  )
  const appendedMembers = [...paths.map(pathJson), ...listMembers(expanded)]
  const all = [...columns.map(memberJson), ...appendedMembers]
  if ([...columns, ...paths].some(({ mask }) => mask))
    return sql`('{' || ${joinedMembers(all)} || '}')`
  const declared = row(target, columns)
  if (appendedMembers.length === 0) return declared
  const appended = joinedMembers(appendedMembers)
  if (columns.length === 0) return sql`('{' || ${appended} || '}')`
  return sql`(left(${declared}, -1) || ',' || ${appended} || '}')`
}

/** `"address.city":"Rome"`; null where the reader may not see it. */
function pathJson(field: FieldRef): SQL {
  const label = `${JSON.stringify(field.name)}:`
  const value = formatted(field.kind, columnSql(field))
  const json = field.path.length > 0 ? jsonSql(field) : sql`to_json(${value})`
  return masked(field, sql`${label}::text || coalesce((${json})::text, 'null')`)
}

const isAppended = ({ path, isJoined }: FieldRef) => path.length > 0 || isJoined === true

type Member = { name: string; value: SQL; mask?: Mask }

const rowJson: MakeRow = (target, members) =>
  isConcatenated(target, members)
    ? sql`('{' || ${joinedMembers(members.map(memberJson))} || '}')`
    : rowQuery(members)

/** For members that some rows lack, and for a table on nodes, which take no subquery without a table. */
const isConcatenated = ({ isDistributed }: SearchTarget, members: Member[]): boolean =>
  isDistributed === true || members.some(({ mask }) => mask)

function rowQuery(members: Member[]): SQL {
  const columns = members.map(({ name, value }) => sql`${value} as ${sql.identifier(name)}`)
  return sql`(select row_to_json("$r")::text as "$json" from (select ${sql.join(columns, sql`, `)}) as "$r")`
}

const memberJson = ({ name, value, mask }: Member): SQL =>
  masked(
    { mask },
    sql`${`${JSON.stringify(name)}:`}::text || coalesce(to_json(${value})::text, 'null')`,
  )

const masked = ({ mask }: { mask?: Mask }, value: SQL): SQL =>
  mask ? sql`case when ${mask.condition} then ${value} end` : value

/** Those that are null are left out. */
const joinedMembers = (members: SQL[]): SQL =>
  sql`array_to_string(array[${sql.join(members, sql`, `)}], ',')`

/** The field, or the record that it refers to (null: none) where it is expanded. */
function memberOf(field: TargetField | FieldRef, { scope, expand }: Expanded): Member {
  const expansion = expand.find((one) => one.field === field.name && !one.list)
  if (!expansion) return columnOf(field)
  const { relation, column } = expansion
  const inner = `${scope}+`
  const { rule } = relation.target
  const rows = fromSql(relation.target, rule?.joins, { as: inner })
  const within = { scope: inner, expand: expansion.expand }
  const { json, from } = recordsFrom(relation.target, null, within, rows)
  const pairs = [{ own: { column, mask: undefined }, field: relation.field }, ...relation.further]
  const equal = pairs.map(
    ({ own, field }) => sql`${qualified(inner, field.column)} = ${qualified(scope, own.column)}`,
  )
  const isReferred = sql.join(rule ? [...equal, rule.sql] : equal, sql` and `)
  const found = sql`(select ${json} from ${from} where ${isReferred})::json`
  // Outside of the subquery, where the columns are those of the referring record.
  const value = pairs.reduce((within, { own }) => masked(own, within), found)
  return { name: field.name, value, ...(field.mask ? { mask: field.mask } : {}) }
}

/** The records that refer to the one in scope, as members of its text: their names may be longer than an alias. */
const listMembers = ({ scope, expand }: Expanded): SQL[] =>
  expand.flatMap(({ field, relation, expand: within, list }) => {
    if (!list) return []
    const rows = listedRows(relation, list, scope)
    const inner = `${scope}+`
    const named = sql`(${rows}) as ${sql.identifier(inner)}`
    const expanded = { scope: inner, expand: within }
    const { json, from } = recordsFrom(relation.target, list.fields, expanded, named)
    const text = sql`(select string_agg("$json", ',') from (select ${json} as "$json" from ${from}) as "$list")`
    const { mask } = list.own
    const shown = mask ? sql`case when ${mask.condition} then ${text} end` : text
    return sql`${`${JSON.stringify(field)}:[`}::text || coalesce(${shown}, '') || ']'`
  })

/** In their order. Their columns are found before those of the record in scope, whose alias names its own. */
function listedRows(
  { target, field, further }: Relation,
  { own, where, sort, joins, limit, link }: RelatedList,
  scope: string,
): SQL {
  const alias = `${scope}-`
  const equal = [{ own, field }, ...further].map(
    ({ own, field }, at) =>
      sql`${link ? leadingColumn(at) : (field.mask?.value ?? qualified(alias, field.column))} = ${qualified(scope, own.column)}`,
  )
  const far = (column: string) => qualified(alias, column)
  const between = link ? linkJoin(link, fromSql(link, link.rule?.joins), far) : sql``
  const held = [...equal, ...(target.rule ? [target.rule.sql] : []), conditionsSql(where)]
  return sql`select * from ${fromSql(target, joins, { as: alias })}${between}
    where ${sql.join(held, sql` and `)} order by ${orderSql(target, sort)} limit ${sql.raw(String(limit))}`
}

const qualified = (scope: string, column: string): SQL =>
  sql`${sql.identifier(scope)}.${sql.identifier(column)}`

const columnOf = (field: TargetField | FieldRef): Member => ({
  name: field.name,
  value: formatted(field.kind, columnSql({ ...field, path: [] })),
  ...(field.mask ? { mask: field.mask } : {}),
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
