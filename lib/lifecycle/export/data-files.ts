import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { CopyQuery } from '@/lib/db/copy-out'
import { entities, schemas } from '@/lib/db/schema'
import { tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Env } from '@/lib/env'
import { isNumberKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { driftSql } from '@/lib/lifecycle/base/drift-sql'
import { keySql } from '@/lib/lifecycle/base/record-sql'
import { SCHEMA_NAME, VERSION } from '@/lib/registry/definition-version'
import { type SearchTarget, type TargetField, targetOf } from '@/lib/registry/target'
import { checkedProperties } from '@/lib/rows/record-schema'
import { recordJson } from '@/lib/search/record-json'
import type { Resolved } from '@/lib/search/resolved'
import { fromSql, type Join } from '@/lib/search/sql-terms'
import { whereSql } from '@/lib/search/to-sql'
import { escapeVariablesInText, mayHoldPlaceholder } from './escape-variables'
import type { ZipEntry } from './pack-plugin'

/** The data files of an entity, in an archive's folder of their own. */
export type DataFolder = {
  folder: string
  /** Its records may be in several files; not when they refer to each other. */
  splits: boolean
  /** The content of its manifest; `escapes`: texts of its records are escaped. */
  manifest: (escapes: boolean) => Uint8Array
}

type Limits = Pick<Env, 'MAX_ENTRY_BYTES' | 'MAX_RECORDS'>

/** Records of one entity that follow each other; `text` is Latin-1, which keeps the bytes. */
type Run = { at: number; text: string; records: number; escapes: boolean }

/**
 * The files of records that `exportLines` returns: a list with a record on each line, in several files
 * where one could not be installed. Each manifest follows its files, since it depends on them.
 */
export async function* dataFiles(
  chunks: AsyncIterable<Buffer>,
  folders: readonly DataFolder[],
  limits: Limits,
): AsyncGenerator<ZipEntry, void, void> {
  const runs = runsOf(chunks)
  try {
    let next = await runs.next()
    for (let part = 1, escapes = false; !next.done; ) {
      const { at } = next.value
      const { folder, splits, manifest } = folderAt(folders, at)
      const fits = fitter(splits, limits)

      async function* list() {
        let opening = '[\n'
        while (!next.done && next.value.at === at && fits(next.value)) {
          yield Buffer.from(opening + next.value.text, 'latin1')
          escapes ||= next.value.escapes
          opening = ',\n'
          next = await runs.next()
        }
        yield Buffer.from('\n]\n')
      }

      yield { path: `${folder}/${fileName(part)}`, chunks: list() }
      part++
      if (!next.done && next.value.at === at) continue
      yield { path: `${folder}/__manifest__.json`, chunks: [manifest(escapes)] }
      part = 1
      escapes = false
    }
  } finally {
    await runs.return()
  }
}

function folderAt(folders: readonly DataFolder[], at: number): DataFolder {
  const folder = folders[at]
  if (!folder) throw new Error(`The export has no entity ${at}`)
  return folder
}

/** By path the first is the first: it is the one that is copied into an empty table. */
const fileName = (part: number) =>
  part === 1 ? 'data.json' : `data.part${String(part).padStart(3, '0')}.json`

/** Whether a further run fits into the file; the first always does. */
function fitter(splits: boolean, { MAX_ENTRY_BYTES, MAX_RECORDS }: Limits) {
  let bytes = 0
  let records = 0
  return (run: Run): boolean => {
    const isFirst = records === 0
    bytes += run.text.length + 4
    records += run.records
    return isFirst || !splits || (bytes <= MAX_ENTRY_BYTES && records <= MAX_RECORDS)
  }
}

async function* runsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Run, void, void> {
  for await (const chunk of chunks) yield* runsIn(chunk.toString('latin1'))
}

/** A run begins its last line before this many characters. */
const RUN_CHARS = 64 * 1024

/** Of whole lines, each of which ends in a line break. */
function* runsIn(text: string): Generator<Run> {
  for (let from = 0; from < text.length; ) {
    const at = Number(text.slice(from, text.indexOf(SEPARATOR, from)))
    const prefix = `${at}${SEPARATOR}`
    const last = Math.max(from, text.lastIndexOf(`\n${prefix}`, from + RUN_CHARS) + 1)
    const end = text.indexOf('\n', last)
    const lines = text.slice(from + prefix.length, end)
    yield toRun(at, lines.split(`\n${prefix}`))
    from = end + 1
  }
}

function toRun(at: number, lines: string[]): Run {
  const escapes = lines.some(mayHoldPlaceholder)
  const records = escapes ? lines.map(escapeLine) : lines
  return { at, text: records.join(',\n'), records: lines.length, escapes }
}

function escapeLine(line: string): string {
  if (!mayHoldPlaceholder(line)) return line
  const text = Buffer.from(line, 'latin1').toString()
  return Buffer.from(escapeVariablesInText(text)).toString('latin1')
}

/** An entity and the conditions that its exported records meet. */
export type ExportedEntity = {
  entity: Entity
  where: Resolved[]
  joins: Join[]
  /** Only records that differ from what this plugin gave. */
  changedOf?: string
}

/** The text between the parts of a line; JSON has no such character. */
const SEPARATOR = '\t'

/**
 * The records of all entities by one statement, so that they are of the same moment, in the order of
 * the entities and their keys: each line is the entity's index, a tab, and the record. The first line
 * has the versions of the definitions at that moment, as `versionsOf` gives them.
 */
export function exportLines(exported: readonly ExportedEntity[]): CopyQuery {
  const width = Math.max(...exported.map(({ entity }) => entity.keys.length))
  const order = keyTerms(width).map(({ number, text }) => sql`${number}, ${text} collate "C"`)
  const parts = [versionLine(exported, width), ...exported.map((one, at) => lines(one, at, width))]
  const query = sql`
    select "line" as c0 from (${sql.join(parts, sql` union all `)}) as "$lines"
    order by "$entity", ${sql.join(order, sql`, `)}`
  return { query, width: 1, format: 'json' }
}

/** The versions of the definitions that the entities were read with. */
export const versionsOf = (exported: readonly ExportedEntity[]): string =>
  exported
    .map(({ entity }) => `${entity.name} ${entity.version ?? ''}`)
    .sort((a, b) => (a < b ? -1 : 1))
    .join()

function versionLine(exported: readonly ExportedEntity[], width: number): SQL {
  const names = exported.map(({ entity }) => entity.name)
  const version = sql`${entities.name} || ' ' || ${VERSION}`
  const keys = keyTerms(width).map(
    ({ number, text }) => sql`null::numeric as ${number}, null::text as ${text}`,
  )
  return sql`
    select -1 as "$entity",
      (select string_agg(${version}, ',' order by ${version} collate "C") from ${entities}
        left join ${schemas} on ${eq(schemas.name, SCHEMA_NAME)}
        where ${inArray(entities.name, names)}) as "line", ${sql.join(keys, sql`, `)}`
}

function lines(exported: ExportedEntity, at: number, width: number): SQL {
  const { entity } = exported
  const target = targetOf(entity)
  const keys = keyTerms(width).map((_, part) => {
    const field = target.fields.find(({ name }) => name === entity.keys[part])
    if (!field) return sql`null, null`
    const column = sql.identifier(field.column)
    return isNumberKind(field.kind) ? sql`${column}::numeric, null` : sql`null, ${column}::text`
  })
  return sql`
    select ${sql.raw(String(at))}, ${`${at}${SEPARATOR}`}::text || ${recordLine(entity, target)}, ${sql.join(keys, sql`, `)}
    from (${matching(exported, target)}) as "$row"`
}

function matching({ entity, where, joins, changedOf }: ExportedEntity, target: SearchTarget): SQL {
  if (changedOf === undefined)
    return sql`select * from ${fromSql(target, joins)} where ${whereSql(where)}`
  const changed = sql`select d.key from (${driftSql(entity, changedOf)}) as d where d.change <> 'deleted'`
  return sql`select t.* from ${tableSql(entity.table)} as t where ${keySql(entity, 't')} in (${changed})`
}

/** The fields that an archive can state: without the id, and without what the engine itself writes. */
function recordLine(entity: Entity, target: SearchTarget): SQL {
  const settable = new Set(checkedProperties(entity).map(({ name }) => name))
  const fields = target.fields
    .filter(({ name }) => settable.has(name))
    .map((field) => ({ type: 'field' as const, field: { ...withScale(field), path: [] } }))
  const declared = recordJson(target, fields)
  if (target.extraColumn === null) return declared
  const names = sql.join(
    target.fields.map(({ name }) => sql`${name}::text`),
    sql`, `,
  )
  const extra = sql`(${sql.identifier(target.extraColumn)} - array[${names}])`
  const end = sql`case when ${extra} <> '{}' then ',' || substr((${extra})::text, 2) else '}' end`
  return sql`(left(${declared}, -1) || ${end})`
}

/** Decimals that end in zeros, as texts: numbers lose those when they are read. */
function withScale(field: TargetField): TargetField {
  if (KINDS[field.kind].comparedAs !== 'numeric') return field
  const column = `"${field.column.replaceAll('"', '""')}"`
  const expression = `case when scale(${column}) > min_scale(${column}) then to_json(${column}::text) else to_json(${column}) end`
  return { ...field, kind: 'json', expression }
}

const keyTerms = (width: number) =>
  Array.from({ length: width }, (_, part) => ({
    number: sql.identifier(`$n${part}`),
    text: sql.identifier(`$t${part}`),
  }))
