import { sql } from 'drizzle-orm'
import { databaseError } from '@/lib/db/errors'
import { type Db, rows as rowsOf, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { type JsonObject, parseJson, stringifyExactly } from '@/lib/values/json'

import type { Resolved } from './resolved'
import type { Rule } from './rule'
import { fromSql } from './sql-terms'
import { type Verdict, verdictSql } from './verdict'

/** What a caller may see of a row. */
export type Shown = { isVisible: boolean; shows: (field: string) => boolean }

export const SHOWN: Shown = { isVisible: true, shows: () => true }
const HIDDEN: Shown = { isVisible: false, shows: () => false }

/**
 * What a rule says of rows that are not in the entity's table, as JSON texts: former states of records. One without a column
 * that the rule compares, or with a value that the column can't hold now, is hidden.
 */
export async function judgeStates(
  db: Db,
  entity: Entity,
  rule: Rule | null,
  rows: readonly string[],
): Promise<Shown[]> {
  if (!rule) return rows.map(() => SHOWN)
  const columns = comparedColumns(rule)
  const judged: Shown[] = rows.map(() => HIDDEN)
  const whole = rows.flatMap((row, at) => {
    const values = parseJson(row, { exactly: true }) as JsonObject
    const hasAll = columns.every((name) => Object.hasOwn(values, name))
    return hasAll ? [{ at, values: pickColumns(values, columns) }] : []
  })
  const found = await judgeAll(
    db,
    entity,
    rule,
    whole.map(({ values }) => values),
  )
  for (const [index, { at }] of whole.entries()) judged[at] = found[index] ?? HIDDEN
  return judged
}

const pickColumns = (values: JsonObject, columns: readonly string[]): JsonObject =>
  Object.fromEntries(columns.map((name) => [name, values[name] ?? null]))

/** By one statement; where a value does not fit, by one for each half. */
async function judgeAll(
  db: Db,
  entity: Entity,
  rule: Rule,
  rows: readonly JsonObject[],
): Promise<Shown[]> {
  if (rows.length === 0) return []
  try {
    return await db.transaction((tx) => judge(tx, entity, rule, rows))
  } catch (error) {
    if (databaseError(error)?.code.startsWith('22') !== true) throw error
    if (rows.length === 1) return [HIDDEN]
    const middle = Math.ceil(rows.length / 2)
    const first = await judgeAll(db, entity, rule, rows.slice(0, middle))
    return [...first, ...(await judgeAll(db, entity, rule, rows.slice(middle)))]
  }
}

type Judged = { position: number; isVisible: boolean; shown: boolean[] }

async function judge(
  tx: Db,
  entity: Entity,
  rule: Rule,
  rows: readonly JsonObject[],
): Promise<Shown[]> {
  const conditional = conditionalFields(rule)
  const verdicts = conditional.map(([, verdict]) => verdictSql(verdict))
  const source = sql`(select given.n as "$n", row.* from jsonb_array_elements(${stringifyExactly([...rows])}::jsonb)
    with ordinality as given(value, n) cross join lateral jsonb_populate_record(null::${tableSql(entity.table)}, given.value) as row) as "$row"`
  const found = await rowsOf<Judged>(
    tx,
    sql`select "$n"::float8 as position, ${verdictSql(rule.rows)} as "isVisible",
        to_json(array[${sql.join(verdicts, sql`, `)}]::boolean[]) as shown
      from ${fromSql({ table: entity.table }, rule.joins, { source })} order by "$n"`,
  )
  return found.map(({ isVisible, shown }) => {
    const flags = new Map(conditional.map(([name], at) => [name, shown[at] === true]))
    return { isVisible, shows: (field) => flagOf(entity, rule, flags, field) }
  })
}

/** `null` stands for undeclared fields that no policy names. */
const conditionalFields = ({ fields, rest }: Rule): [string | null, Verdict][] =>
  [...fields, [null, rest] as const]
    .map(([name, verdict]): [string | null, Verdict] => [name, verdict])
    .filter(([, verdict]) => typeof verdict !== 'boolean')

function flagOf(
  { properties, keys }: Entity,
  { fields, rest }: Rule,
  flags: ReadonlyMap<string | null, boolean>,
  name: string,
): boolean {
  const isDeclared = keys.includes(name) || properties.some((property) => property.name === name)
  if (isDeclared && !fields.has(name)) return true
  const verdict = fields.get(name) ?? rest
  if (typeof verdict === 'boolean') return verdict
  return flags.get(fields.has(name) ? name : null) === true
}

/** The columns of the entity's table that a rule compares. */
export function comparedColumns({ rows, fields, rest, joins }: Rule): string[] {
  const own = (condition: Verdict): string[] => {
    if (typeof condition === 'boolean') return []
    return testsIn(condition).flatMap(({ field }) => (field.isJoined ? [] : [field.column]))
  }
  const joined = joins.flatMap(({ on }) => on.filter(({ isJoined }) => !isJoined))
  const named = [rows, rest, ...fields.values()].flatMap(own)
  return [...new Set([...named, ...joined.map(({ column }) => column)])]
}

const testsIn = (condition: Resolved): (Resolved & { type: 'test' })[] =>
  condition.type === 'test' ? [condition] : condition.of.flatMap(testsIn)
