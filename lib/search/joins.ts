import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import type { TableName } from '@/lib/definitions/definition'
import type { Relation, SearchTarget } from '@/lib/registry/target'
import type { Expansion, FieldRef } from './resolved'
import { columnSql } from './sql-terms'

/** A referred table next to the searched one. Its columns have names of their own, `$1_0`, `$1_1`, … */
export type Join = {
  alias: string
  table: TableName
  /** The referring fields. */
  on: FieldRef[]
  /** The columns of the table that are used; the first are those that the reference names, as many as `on`. */
  columns: string[]
  /** As of `SearchTarget`. */
  isDistributed?: boolean
}

/** Whether a search reads tables of a cluster: their rows are merged from several nodes. */
export const readsNodes = (target: SearchTarget, { joins = [], expand = [] }: Reads): boolean =>
  Boolean(target.isDistributed) ||
  joins.some(({ isDistributed }) => isDistributed) ||
  expand.some(({ relation, expand }) => readsNodes(relation.target, { expand }))

type Reads = { joins?: Join[]; expand?: Expansion[] }

/** Collects the references that a search follows, each once. */
export class Joins {
  readonly list: Join[] = []
  private readonly byPath = new Map<string, Join>()

  /** `path` identifies a reference: the names that lead to it. */
  add(path: string, { target, field, further }: Relation, on: FieldRef[]): Join {
    const known = this.byPath.get(path)
    if (known) return known
    const alias = `$${this.list.length + 1}`
    const join = {
      alias,
      table: target.table,
      on,
      columns: [field, ...further.map((one) => one.field)].map(({ column }) => column),
      ...(target.isDistributed ? { isDistributed: true } : {}),
    }
    this.list.push(join)
    this.byPath.set(path, join)
    return join
  }
}

/** A field of the referred table as the statement sees it: null where nothing is referred to. */
export function joinedRef({ alias, columns }: Join, field: FieldRef): FieldRef {
  if (!columns.includes(field.column)) columns.push(field.column)
  const column = `${alias}_${columns.indexOf(field.column)}`
  return { ...field, column, nullable: true, indexed: false, isJoined: true }
}

/**
 * The searched table with the tables its records refer to. Its own columns keep their names and no
 * record is repeated, so it can replace the table in a statement. `using` are the columns by which
 * the table itself is joined to what precedes it, `as` is its alias.
 */
export function fromSql(
  { table }: SearchTarget,
  joins: readonly Join[] = [],
  { using, as }: { using?: SQL; as?: string } = {},
): SQL {
  const named = as ? sql`${tableSql(table)} as ${sql.identifier(as)}` : tableSql(table)
  const own = using ? sql`${named} using (${using})` : named
  const joined = joins.map(({ alias, table, on, columns }) => {
    const name = (index: number) => sql.identifier(`${alias}_${index}`)
    const list = columns.map((column, index) => sql`${sql.identifier(column)} as ${name(index)}`)
    const equal = on.map((field, index) => sql`${name(index)} = ${columnSql(field)}`)
    return sql`left join (select ${sql.join(list, sql`, `)} from ${tableSql(table)}) as ${sql.identifier(alias)} on ${sql.join(equal, sql` and `)}`
  })
  return sql.join([own, ...joined], sql` `)
}
