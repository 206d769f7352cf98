import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'
import type { Literal, ScalarLiteral, ScalarType } from '@/lib/kinds/field-kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { Inverse, Relation, RowRule, SearchTarget, TargetField } from '@/lib/registry/target'
import { type LinkRows, leadingColumn, linkJoin, linkRows } from './link-sql'
import type { FieldRef, Resolved } from './resolved'

/** The case-insensitive natural order of texts. */
export const NATURAL = sql.raw('collate "engine"."natural"')

/** The column itself; for a path, the column that holds the JSON. Null in rows that do not show it to the reader. */
export function columnSql({ column, expression, mask, made, figure }: FieldRef): SQL {
  if (made) return made.value
  if (figure) return figureSql(figure)
  return (
    mask?.value ?? (expression ? sql`(${sql.raw(expression)})` : sql`${sql.identifier(column)}`)
  )
}

/** Null where a reference before it refers to nothing. */
function figureSql(rows: RelatedRows): SQL {
  const figure = rows.summed ? sumSql(rows.summed) : sql`count(*)`
  const number = sql`(select ${figure} ${fromRelated(rows)})`
  const beyond = rows.on.find(({ isJoined }) => isJoined)
  return beyond ? sql`(case when ${columnSql(beyond)} is not null then ${number} end)` : number
}

/** The undeclared fields that the reader may see, as JSON; null where the table has none. */
export const extraSql = ({ extra, extraColumn }: SearchTarget): SQL | null =>
  extra?.value ?? (extraColumn === null ? null : sql`${sql.identifier(extraColumn)}`)

const MAX_INTEGER = 2_147_483_647

/** Whether a value is none of a narrow integer column, which nodes of a cluster refuse to look for. */
export const isWide = ({ type, text }: ScalarLiteral): boolean =>
  type === 'numeric' || (type === 'bigint' && Math.abs(Number(text)) > MAX_INTEGER)

/** The column as it compares with values: of a type that has all of them, which costs its index only where it has none. */
export function comparedSql(field: FieldRef, values: readonly ScalarLiteral[]): SQL {
  const wide = KINDS[field.kind].comparedAs === 'bigint' ? values.filter(isWide) : []
  if (wide.length === 0) return columnSql(field)
  const type = wide.some(({ type }) => type === 'numeric') ? 'numeric' : 'bigint'
  return sql`${columnSql(field)}::${sql.raw(type)}`
}

/** The JSON at the field's path; null where there is none. */
export function jsonSql(field: FieldRef): SQL {
  const [first, ...rest] = field.path
  if (first === undefined) return columnSql(field)
  if (rest.length === 0 && !isIndex(first)) return sql`(${columnSql(field)} -> ${first}::text)`
  return sql`(${columnSql(field)} #> ${pathSql(field.path)})`
}

/** The same as text, without quotes; null where there is none, and for JSON's null. */
export function jsonTextSql(field: FieldRef): SQL {
  const [first, ...rest] = field.path
  if (first !== undefined && rest.length === 0 && !isIndex(first))
    return sql`(${columnSql(field)} ->> ${first}::text)`
  return sql`(${columnSql(field)} #>> ${pathSql(field.path)})`
}

/** Of texts, whose form nodes of a cluster can compare: a text that becomes a list depends on settings for them. */
const pathSql = (path: string[]): SQL =>
  path.length === 0
    ? sql`'{}'::text[]`
    : sql`array[${sql.join(
        path.map((key) => sql`${key}::text`),
        sql`, `,
      )}]`

// `->` with a text finds no element of an array, `#>` does.
const isIndex = (key: string) => /^-?\d+$/.test(key)

/**
 * A bound value. It is sent as text, independent of the driver's conversions, and cast to its type on
 * the server.
 */
export const valueSql = ({ type, text }: ScalarLiteral): SQL => typedSql(type, text)

/** The values, all of one type, as one bound array. */
export const valuesSql = (type: string, texts: string[]): SQL =>
  sql`${arrayText(texts)}::text::${sql.raw(type)}[]`

/** `text` may be a placeholder of a compiled statement. */
export const typedSql = (type: ScalarType | 'jsonb', text: string | SQLWrapper): SQL =>
  sql`${text}::text::${sql.raw(type)}`

/** PostgreSQL's text form of a one-dimensional array. */
export const arrayText = (texts: string[]) =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

export const isScalar = (literal: Literal): literal is ScalarLiteral => literal.type !== 'json'

type JoinColumn = Pick<TargetField, 'column' | 'mask'>

/** A referred table next to the searched one. Its columns have names of their own, `$1_0`, `$1_1`, … */
export type Join = {
  alias: string
  table: TableName
  /** The referring fields. */
  on: FieldRef[]
  /** The columns of the table that are used; the first are those that the reference names, as many as `on`. */
  columns: JoinColumn[]
  /** The rows that the reader may see; others are as if they did not exist. */
  rule?: RowRule
  /** As of `SearchTarget`. */
  isDistributed?: boolean
}

/** The records of a table that refer to one. */
export type RelatedRows = {
  table: TableName
  /** Fields of the record, and the columns that have their values. */
  on: FieldRef[]
  columns: JoinColumn[]
  /** A field of theirs whose sum is the figure; their number without it. */
  summed?: FieldRef
  /** What conditions on them need; with that of the rule. */
  joins: readonly Join[]
  /** As of `Join`. */
  rule?: RowRule
  /** What is between, which has the columns. */
  link?: LinkRows
}

/** `on`: the fields of the record to which the rows of `inverse` refer. `joins` begins with those of its rule. */
export const relatedRows = (
  { target: { table, rule }, pairs, link }: Inverse,
  on: FieldRef[],
  joins: Joins,
): RelatedRows => ({
  ...{ table, on, columns: pairs.map(({ field }) => joinColumn(field)), joins: joins.list },
  ...(rule ? { rule } : {}),
  ...(link ? { link: linkRows(link, pairs) } : {}),
})

/**
 * `from … where …` of the rows that refer to the record in scope and meet `condition`. Of the inner query nothing but columns
 * with names of their own can be seen, so that those of the record are found, whatever both tables are called.
 */
export function fromRelated(
  { table, on, columns, summed, joins, rule, link }: RelatedRows,
  condition?: SQL,
): SQL {
  const name = (at: number) => sql.identifier(`$related_${at}`)
  const list = columns.map(
    ({ column, mask }, at) =>
      sql`${link ? leadingColumn(at) : (mask?.value ?? sql.identifier(column))} as ${name(at)}`,
  )
  if (summed) list.push(sql`${columnSql(summed)} as ${SUMMED}`)
  const held = [rule?.sql, condition].filter((one) => one !== undefined)
  const where = held.length > 0 ? sql` where ${sql.join(held, sql` and `)}` : sql``
  const between = link ? linkJoin(link, fromSql(link, link.rule?.joins)) : sql``
  const rows = sql`select ${sql.join(list, sql`, `)} from ${fromSql({ table }, joins)}${between}${where}`
  const equal = on.map((field, at) => sql`${name(at)} = ${columnSql(field)}`)
  return sql`from (${rows}) as "$related" where ${sql.join(equal, sql` and `)}`
}

const SUMMED = sql.identifier('$related_sum')

/** Of floating-point numbers in decimal, whose range no sum leaves. */
const sumSql = ({ kind }: FieldRef): SQL =>
  KINDS[kind].comparedAs === 'float8' ? sql`sum(${SUMMED}::numeric)` : sql`sum(${SUMMED})`

declare module '@/lib/registry/target' {
  interface RowRule {
    where: Resolved[]
    joins: Join[]
  }
}

/** Collects the references that a search follows, each once; those of a rule come first. */
export class Joins {
  readonly list: Join[]
  private readonly byPath = new Map<string, Join>()

  constructor(ofRule: readonly Join[] = []) {
    this.list = [...ofRule]
  }

  /** `path` identifies a reference: the names that lead to it. */
  add(path: string, { target, field, further }: Relation, on: FieldRef[]): Join {
    const known = this.byPath.get(path)
    if (known) return known
    const alias = `$${this.list.length + 1}`
    const join = {
      alias,
      table: target.table,
      on,
      columns: [field, ...further.map((one) => one.field)].map(joinColumn),
      ...(target.isDistributed ? { isDistributed: true } : {}),
      ...(target.rule ? { rule: target.rule } : {}),
    }
    this.list.push(join)
    this.byPath.set(path, join)
    return join
  }
}

/** A field of the referred table as the statement sees it: null where nothing is referred to. */
export function joinedRef({ alias, columns }: Join, { mask, ...field }: FieldRef): FieldRef {
  const known = columns.findIndex(({ column }) => column === field.column)
  const at = known < 0 ? columns.push(joinColumn({ ...field, mask })) - 1 : known
  return { ...field, column: `${alias}_${at}`, nullable: true, indexed: false, isJoined: true }
}

const joinColumn = ({ column, mask }: JoinColumn): JoinColumn => ({
  column,
  ...(mask ? { mask } : {}),
})

/**
 * The searched table with the tables its records refer to. Its own columns keep their names and no
 * record is repeated, so it can replace the table in a statement. `using` are the columns by which
 * the table itself is joined to what precedes it, `as` is its alias, `source` other rows in its place.
 */
export function fromSql(
  { table }: Pick<SearchTarget, 'table'>,
  joins: readonly Join[] = [],
  { using, as, source }: { using?: SQL; as?: string; source?: SQL } = {},
): SQL {
  const stored = as ? sql`${tableSql(table)} as ${sql.identifier(as)}` : tableSql(table)
  const named = source ?? stored
  const own = using ? sql`${named} using (${using})` : named
  return sql.join([own, ...joins.map(joinSql)], sql` `)
}

/** Whether it shows no row. A cluster refuses conditions without a column beside outer joins. */
const isNever = ({ where }: RowRule): boolean =>
  where.some((one) => one.type === 'or' && one.of.length === 0)

function joinSql({ alias, table, on, columns, rule }: Join): SQL {
  const name = (index: number) => sql.identifier(`${alias}_${index}`)
  const list = columns.map(
    ({ column, mask }, index) => sql`${mask?.value ?? sql.identifier(column)} as ${name(index)}`,
  )
  const equal = on.map((field, index) => sql`${name(index)} = ${columnSql(field)}`)
  const rows = rule
    ? sql`${fromSql({ table }, rule.joins)} ${isNever(rule) ? sql`limit 0` : sql`where ${rule.sql}`}`
    : sql`${tableSql(table)}`
  return sql`left join (select ${sql.join(list, sql`, `)} from ${rows}) as ${sql.identifier(alias)} on ${sql.join(equal, sql` and `)}`
}
