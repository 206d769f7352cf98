import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import type { ImportColumn } from '@/lib/db/schema'
import { type Db, rows as rowsOf, textArray } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { withFormulas } from '@/lib/export/csv-formula'
import { isNumberKind, isTextKind } from '@/lib/kinds/kind'
import { mayRead } from '@/lib/registry/may-read'
import { listEntities } from '@/lib/registry/registry'
import type { SearchTarget } from '@/lib/registry/target'
import { readableTarget } from '@/lib/search/find-target'
import { namingFields, openPart } from '@/lib/search/naming-fields'
import { columnSql, fromSql } from '@/lib/search/sql-terms'
import { isNumericText } from '@/lib/values/numeric-text'
import type { Cell, Source, SourceRow } from '../file/source'

/** Rows with keys in place of names; `connection` is asked only where something has to be looked up. */
export type NameReferences = (
  rows: readonly SourceRow[],
  connection: () => Promise<Db>,
) => Promise<SourceRow[]>

/** A column of a reference, and the records that its names may mean. */
type NamedColumn = {
  at: number
  field: string
  entity: string
  /** Of the key that the column holds. */
  key: { column: SQL; shown: SQL; isNumber: boolean }
  names: SQL[]
  table: SQL
  /** The table with what the rule of the caller joins. */
  visible: SQL
  rule: SQL
  /** What texts were found to mean: a key, null for the text itself. */
  known: Map<string, Meaning>
}

type Meaning = { key: string } | 'several' | null

/** Of one column, in memory. */
const MAX_KNOWN = 100_000

/**
 * In tables a reference may be given by the name of its record, in the case in which it is stored: the text is taken for a key first, then for the name of the one
 * record that the caller may read. A name that several have makes the row faulty; one that none has stays as it is.
 */
export async function nameReferences(
  deps: Deps,
  actor: Actor,
  entity: Entity,
  { columns, format }: { columns: readonly ImportColumn[]; format: Source['format'] },
): Promise<NameReferences> {
  const named = await namedColumns(deps, actor, entity, columns)
  const toText = format === 'csv' ? withFormulas : (text: string) => text
  return async (rows, connection) => {
    if (named.length === 0) return [...rows]
    for (const column of named) await learn(column, textsOf(rows, column, toText), connection)
    return rows.map((row) => replaced(row, named, toText))
  }
}

async function namedColumns(
  deps: Deps,
  actor: Actor,
  { name: own, properties }: Entity,
  columns: readonly ImportColumn[],
): Promise<NamedColumn[]> {
  const isInFile = (name: string) => columns.some(({ field }) => field === name)
  const entities = await listEntities(deps)
  return columns.flatMap(({ field }, at) => {
    const reference = properties.find(({ name }) => name === field)?.rules.reference
    if (!reference || field === null || Object.keys(reference.with ?? {}).length > 0) return []
    const entity = entities.find(({ name }) => name === reference.entity)
    if (!entity || !mayRead(actor, entity)) return []
    const target = readableTarget(entity, actor, entities)
    const found = namesIn(entity, target, reference.field)
    // A text may be the key of a row that follows in the file.
    if (!found?.key.isNumber && entity.name === own && isInFile(reference.field)) return []
    return found ? [{ ...{ at, field, entity: entity.name }, ...found, known: new Map() }] : []
  })
}

/** Null where records have no name besides their key, or no key that a text can be told from. */
function namesIn(entity: Entity, target: SearchTarget, keyField: string) {
  const fieldOf = (name: string) => target.fields.find((field) => field.name === name)
  const key = fieldOf(keyField)
  const names = namingFields(openPart(entity, target))
    .filter((name) => name !== keyField)
    .flatMap((name) => fieldOf(name) ?? [])
    .map((field) => columnSql({ ...field, path: [] }))
  if (!key || names.length === 0 || !(isTextKind(key.kind) || isNumberKind(key.kind))) return null
  return {
    key: {
      ...{ column: sql`${sql.identifier(key.column)}`, shown: columnSql({ ...key, path: [] }) },
      isNumber: isNumberKind(key.kind),
    },
    names,
    table: fromSql(target),
    visible: fromSql(target, target.rule?.joins),
    rule: target.rule?.sql ?? sql`true`,
  }
}

/** Empty for what no name can be. */
function textOf(cell: Cell | undefined, toText: (text: string) => string): string {
  if (typeof cell !== 'string' || cell.length > MAX_NAME) return ''
  const isNoName = cell.includes('\0') || cell.includes(SEPARATOR) || isSurrogate.test(cell)
  return isNoName ? '' : toText(cell).trim()
}

const MAX_NAME = 1_000
/** A control character that is in no name. */
const SEPARATOR = '\x1f'
/** Half of a pair, which is no text for PostgreSQL. */
const isSurrogate = /\p{Cs}/u

function textsOf(
  rows: readonly SourceRow[],
  { at, key, known }: NamedColumn,
  toText: (text: string) => string,
): string[] {
  if (known.size > MAX_KNOWN) known.clear()
  const texts = new Set<string>()
  for (const row of rows) {
    const text = 'cells' in row ? textOf(row.cells[at], toText) : ''
    if (text === '' || known.has(text) || (key.isNumber && isNumericText(text))) continue
    texts.add(text)
  }
  return [...texts]
}

/** Looks up what texts mean. */
async function learn(
  column: NamedColumn,
  texts: string[],
  connection: () => Promise<Db>,
): Promise<void> {
  if (texts.length === 0) return
  const db = await connection()
  const keys = column.key.isNumber ? new Set<string>() : await keysAmong(db, column, texts)
  const others = texts.filter((text) => !keys.has(text))
  const named = others.length > 0 ? await meaningsOf(db, column, others) : new Map()
  for (const text of texts) column.known.set(text, named.get(text) ?? null)
}

/** Whether a hidden record has such a key is not told apart: the text stays as it is. */
async function keysAmong(db: Db, { key, table }: NamedColumn, texts: string[]) {
  const found = await rowsOf<{ key: string }>(
    db,
    sql`select ${key.column} as key from ${table} where ${key.column} = any(${textArray(texts)})`,
  )
  return new Set(found.map((row) => row.key))
}

async function meaningsOf(
  db: Db,
  { key, names, visible, rule }: NamedColumn,
  texts: string[],
): Promise<Map<string, Meaning>> {
  // A constant for the planner, which makes a hash table of it: one of a subquery is gone through for each record.
  const wanted = sql`string_to_array(${texts.join(SEPARATOR)}::text, ${SEPARATOR}::text)`
  const among = (value: SQL) => sql`${value} = any(${wanted})`
  const name = sql`coalesce(${list(names.map((one) => sql`nullif(${one}, '')`))})`
  const found = await rowsOf<{ name: string; key: string; many: boolean }>(
    db,
    sql`select name, min(key) as key, min(key) <> max(key) as many from (
        select ${name} as name, ${key.shown}::text as key from ${visible}
        where (${sql.join(names.map(among), sql` or `)}) and (${rule})
      ) as named where ${among(sql`name`)} group by name`,
  )
  return new Map(found.map((row) => [row.name, row.many ? 'several' : { key: row.key }]))
}

const list = (parts: SQL[]) => sql.join(parts, sql`, `)

function replaced(
  row: SourceRow,
  columns: readonly NamedColumn[],
  toText: (text: string) => string,
): SourceRow {
  if (!('cells' in row) || row.fault !== undefined) return row
  const cells = [...row.cells]
  for (const { at, field, entity, known } of columns) {
    const text = textOf(cells[at], toText)
    const meaning = text === '' ? null : (known.get(text) ?? null)
    if (meaning === 'several') return { ...row, fault: severalFault(field, text, entity) }
    if (meaning) cells[at] = meaning.key
  }
  return { ...row, cells }
}

const MAX_SHOWN = 80

const severalFault = (field: string, text: string, entity: string): string =>
  `${field}: “${text.slice(0, MAX_SHOWN)}” is the name of several records in ${entity}; give the key of one`
