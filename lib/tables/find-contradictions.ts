import { sql } from 'drizzle-orm'
import { turnGiver } from '@/lib/async/turns'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { Property, TableName } from '@/lib/definitions/definition'
import { cutShort, type FileDetail, shorten } from '@/lib/definitions/definition-faults'
import { valueFault } from '@/lib/definitions/value-fault'
import { FORMAT_NAMES } from '@/lib/kinds/formats'
import type { Json } from '@/lib/values/json'
import { contradictionGroups, keyJson, keyOrder, type StoredGroup } from './contradiction-groups'
import { type Contradiction, contradictionsOf } from './contradictions'
import type { CheckedRule, DdlStep, StepOf } from './ddl-step'

/** The most records that a refusal names. */
const MAX_NAMED = 100
/** The part of a value that is read to be shown. */
const SHOWN_CHARS = 2_000

/** The first 100 records that forbid a step, their number, and all of them by rule. */
export type Contradictions = { details: FileDetail[]; count: number; groups: StoredGroup[] }

const NONE: Contradictions = { details: [], count: 0, groups: [] }

/** The stored records that forbid a step; `keys` are the table's primary key. */
export async function findContradictions(
  tx: Db,
  step: DdlStep,
  keys: readonly string[],
): Promise<Contradictions> {
  if (step.type === 'require-empty') return requireEmpty(tx, step)
  for (const contradiction of contradictionsOf(step)) {
    const found = await select(tx, step.table, keys, contradiction)
    if (found.count === 0) continue
    const groups = await contradictionGroups(tx, step.table, keys, contradiction, found)
    return { ...found, groups }
  }
  return step.type === 'check-values' ? checkTexts(tx, step, keys) : NONE
}

/** All records forbid it for the same reason, so one line reports them. */
async function requireEmpty(
  tx: Db,
  { table, change }: StepOf<'require-empty'>,
): Promise<Contradictions> {
  const { total } = one(
    await rows<{ total: number }>(
      tx,
      sql`select count(*)::float8 as total from ${tableSql(table)}`,
    ),
  )
  if (total === 0) return NONE
  const records = total === 1 ? '1 record is' : `${total} records are`
  const message = `${records} stored: it is too late to ${change}`
  const group = {
    ...({ entity: null, rule: 'empty', field: null, message, total } as const),
    ...{ keys: [], indexes: [], filter: [], keyFilter: null },
  }
  return { details: [{ message }], count: 1, groups: [group] }
}

/** `value`: the beginning of its JSON text. */
type Row = { key: Json; value: string | null; total: number }
type Examples = Pick<Contradictions, 'details' | 'count'>

async function select(
  tx: Db,
  table: TableName,
  keys: readonly string[],
  { where, value, message }: Omit<Contradiction, 'about'>,
): Promise<Examples> {
  // A value may be as large as a request: a hundred of them would exhaust the memory.
  const shown = value ? sql`left(to_jsonb(${value})::text, ${SHOWN_CHARS}::int)` : sql`null::text`
  const found = await rows<Row>(
    tx,
    sql`select ${keyJson(keys)} as key, ${shown} as value, (count(*) over ())::float8 as total from ${tableSql(table)} as source where ${where} order by ${keyOrder(keys)} limit ${sql.raw(String(MAX_NAMED))}`,
  )
  return { details: found.map((row) => detail(row, message)), count: found[0]?.total ?? 0 }
}

function detail({ key, value: text }: Row, message: string): FileDetail {
  const value = text === null ? null : shortenText(text)
  return value === null ? { key, message } : { key, value, message }
}

const shortenText = (json: string): Json =>
  json.length < SHOWN_CHARS ? shorten(JSON.parse(json)) : cutShort(json)

/** Checks patterns and formats here, in batches: the database has no safe pattern matching. */
async function checkTexts(
  tx: Db,
  { table, property, rules }: StepOf<'check-values'>,
  keys: readonly string[],
): Promise<Contradictions> {
  if (!rules.includes('pattern') && !rules.includes('format')) return NONE
  const wrong: Examples = { details: [], count: 0 }
  const values: string[] = []
  const giveTurn = turnGiver()
  for (const texts of SIZES)
    for await (const { value, total } of textsIn(tx, table, property.name, texts)) {
      const message = valueFault(property, value)
      await giveTurn()
      if (!message) continue
      wrong.count += total
      if (values.length <= MAX_GROUPED) values.push(value)
      if (wrong.details.length < MAX_NAMED) {
        const found = await recordsWith(tx, table, keys, property.name, value, message)
        wrong.details.push(...found.details)
      }
    }
  if (wrong.count === 0) return NONE
  const found = { ...wrong, details: wrong.details.slice(0, MAX_NAMED) }
  const broken = brokenText(property, rules, values)
  return { ...found, groups: await contradictionGroups(tx, table, keys, broken, found) }
}

/** Most wrong texts whose records are asked for together, and the characters of all. */
const MAX_GROUPED = 100
const MAX_GROUPED_CHARS = 20_000

/** The records with these texts. */
function brokenText(
  { name, rules: { pattern, format } }: Property,
  broken: readonly CheckedRule[],
  texts: readonly string[],
): Contradiction {
  const column = sql`${sql.identifier(name)}`
  const rule = broken.includes('pattern') ? 'pattern' : 'format'
  const allowed = (rule === 'pattern' ? pattern : format) ?? ''
  const message = rule === 'pattern' ? `must match ${allowed}` : `must be ${FORMAT_NAMES[allowed]}`
  const chars = texts.reduce((sum, text) => sum + text.length, 0)
  const isShort = texts.length <= MAX_GROUPED && chars <= MAX_GROUPED_CHARS
  const asked = sql`${JSON.stringify(isShort ? texts : [])}::text::jsonb`
  return {
    where: sql`${column} in (select jsonb_array_elements_text(${asked}))`,
    value: column,
    message: `${name} ${message}`,
    about: { rule, field: name, allowed, ...(isShort ? { values: [name] } : {}) },
  }
}

/** Texts of more than `over` characters and up to `upTo`. */
type Texts = { over: number; upTo: number; batchSize: number }

/** A text may be as long as a request or a file, so the longer the texts, the fewer are read together. */
const SIZES: readonly Texts[] = [
  { over: -1, upTo: 1_000, batchSize: 5_000 },
  { over: 1_000, upTo: 100_000, batchSize: 50 },
  { over: 100_000, upTo: 2 ** 31 - 1, batchSize: 1 },
]

/** The different texts of a column, in order, with the number of records that have each. */
async function* textsIn(
  tx: Db,
  table: TableName,
  name: string,
  { over, upTo, batchSize }: Texts,
): AsyncGenerator<{ value: string; total: number }> {
  const column = sql.identifier(name)
  const isAsked = sql`char_length(${column}) > ${sql.raw(String(over))} and char_length(${column}) <= ${sql.raw(String(upTo))}`
  await tx.execute(
    sql`declare engine_texts no scroll cursor for select ${column} collate "C" as value, count(*)::float8 as total from ${tableSql(table)} where ${isAsked} group by 1 order by 1`,
  )
  for (let size = batchSize; size === batchSize; ) {
    const batch = await rows<{ value: string; total: number }>(
      tx,
      sql`fetch ${sql.raw(String(batchSize))} from engine_texts`,
    )
    yield* batch
    size = batch.length
  }
  await tx.execute(sql`close engine_texts`)
}

const recordsWith = (
  tx: Db,
  table: TableName,
  keys: readonly string[],
  name: string,
  value: string,
  message: string,
) => {
  const column = sql`${sql.identifier(name)}`
  const where = sql`${column} = ${value}::text`
  return select(tx, table, keys, { where, value: column, message: `${name} ${message}` })
}

/**
 * Adds to what forbids the first of `steps` what forbids others that only check: so one report has all rules that
 * stored records break. Steps that wait for one that is not carried out are left out.
 */
export async function withLater(
  tx: Db,
  found: Contradictions,
  steps: readonly DdlStep[],
  keys: readonly string[],
): Promise<Contradictions> {
  const all = { ...found }
  const waiting = new Set<string>()
  for (const [at, step] of steps.entries()) {
    const checked = checkedColumn(step)
    if (at > 0 && checked !== null && !waiting.has(checked)) {
      const more = await findContradictions(tx, step, keys)
      all.count += more.count
      all.details = [...all.details, ...more.details].slice(0, MAX_NAMED)
      all.groups = [...all.groups, ...more.groups]
    }
    for (const column of checked === null ? columnsOf(step) : []) waiting.add(column)
  }
  return { ...all, groups: all.groups.toSorted((a, b) => b.total - a.total) }
}

function checkedColumn(step: DdlStep): string | null {
  if (step.type === 'check-values') return step.property.name
  return step.type === 'set-not-null' ? step.column : null
}

function columnsOf(step: DdlStep): string[] {
  if ('property' in step) return [step.property.name]
  if (!('column' in step)) return []
  return [typeof step.column === 'string' ? step.column : step.column.name]
}
