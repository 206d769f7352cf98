import { type SQL, sql } from 'drizzle-orm'
import type { RecordContents } from '@/lib/archives/record-contents'
import { forEachInTurns } from '@/lib/async/turns'
import { inlined } from '@/lib/db/copy-out'
import { pendingPluginRecords } from '@/lib/db/schema'
import { type Db, rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { CopiedFiles, CopyRecorder } from '@/lib/installs/points'
import { bytesText, type CopyFormat, escapeText, LineBuffer, linesOf } from '@/lib/rows/copy-rows'
import type { Copied } from '@/lib/rows/load-records'
import { CONTENT_COLUMN, ORDINAL_COLUMN } from '@/lib/rows/record-columns'
import { settlePending } from '@/lib/tables/settle-pending'
import { type Origin, pathIn } from '../base/record-sql'
import { recordFieldNames } from '../changes/record-definitions'
import { createdTexts, rememberChunk, rememberStored, rememberTable } from './remember-created'

type Target = {
  entity: Entity
  origin: Origin
  columns: CopyFormat['columns']
  /** When several are copied together, into any table; all must be kept. */
  group: CopiedFiles | undefined
}

/**
 * Remembers the records with which a file fills an empty table. They are kept as they were copied, and remembered when that is
 * needed or the database has time; where the table may have changed them, the end remembers what it has.
 */
export function copiedRecorder(tx: Db, { entity, origin, columns, group }: Target): CopyRecorder {
  const texts = createdTexts(entity)
  let kept = 0
  let isPostponed: boolean | null = null

  async function keep(copied: Copied, contents: RecordContents): Promise<void> {
    isPostponed ??= columns.length <= MAX_COLUMNS && (await hasNoTriggers(tx, entity))
    // From the first that can't wait on, none does.
    isPostponed &&= copied.longestKey <= MAX_KEY_CHARS
    if (!isPostponed) return texts.add(copied.generated(), contents)
    const isDescribed = contents.size > 0 || group !== undefined
    const tailOf = isDescribed ? describe(contents, group) : null
    const lines = tailOf ? await withTails(copied, tailOf) : copied.lines
    const from = group ? { from: PATH } : {}
    const form = {
      columns: isDescribed ? [...columns, ...OWN_COLUMNS] : columns,
      statement: inlined(
        rememberStored(entity, origin, isDescribed ? { content: CONTENT, ...from } : {}),
      ),
    }
    for (const piece of piecesOf(lines)) {
      const part = { ...form, lines: piece, pluginId: origin.pluginId, entity: entity.name }
      await tx.insert(pendingPluginRecords).values(part)
    }
    kept += copied.indexes.length
  }

  async function end(created: number, newExtraFields: readonly string[]): Promise<boolean> {
    let remembered = kept
    for (const part of texts.take()) remembered += await rememberChunk(tx, entity, origin, part)
    if (group) return kept === created && (await named(newExtraFields))
    if (remembered < created) {
      // What is kept has contents that the table lacks.
      if (kept > 0) await settlePending(tx, { entities: [entity.name] })
      remembered += await rememberTable(tx, entity, origin)
    }
    if (remembered !== created || (await tx.$count(tableSql(entity.table))) !== created)
      return false
    return named(newExtraFields)
  }

  async function named(names: readonly string[]): Promise<true> {
    await recordFieldNames(tx, origin.installId, entity, names)
    return true
  }

  return { keep, end }
}

/** What follows the values of a record in the lines that are kept, where that is needed. */
const OWN_COLUMNS = [
  { name: CONTENT_COLUMN, type: 'uuid' },
  { name: ORDINAL_COLUMN, type: 'integer' },
  { name: '$path', type: 'text' },
]
const CONTENT: SQL = sql`t.${sql.identifier(CONTENT_COLUMN)}, t.${sql.identifier(ORDINAL_COLUMN)}`
const PATH: SQL = sql`t."$path"`

/** Returns a function that makes the end of a record's line, by its index; those of one file after the other. */
function describe(contents: RecordContents, group: CopiedFiles = []): (index: number) => string {
  const ends = group.map(({ file, first }) => ({
    first,
    end: `\t${bytesText(escapeText(pathIn(file)))}\n`,
  }))
  let at = 0
  return (index) => {
    const content = contents.get(index)
    // Mostly they are asked for in their order.
    if (index < (ends[at]?.first ?? 0)) at = 0
    while (index >= (ends[at + 1]?.first ?? Infinity)) at++
    const end = ends[at]?.end ?? '\t\\N\n'
    return content ? `\t${content.digest}\t${content.ordinal}${end}` : `\t\\N\t\\N${end}`
  }
}

async function withTails({ lines, indexes }: Copied, tailOf: (index: number) => string) {
  const all = new LineBuffer('latin1', lines.length + indexes.length * TAIL_BYTES)
  const nextLine = linesOf(lines)
  await forEachInTurns(indexes, (index) => all.add(nextLine() + tailOf(index)))
  return all.take()
}

/** Mostly. */
const TAIL_BYTES = 40

/** Taking lines apart takes time with the square of their values. */
const MAX_COLUMNS = 200
/**
 * The index of what is remembered takes 2,704 bytes, of which a key of several parts may need six for a character. Longer
 * ones are remembered at once, so that their file fails if they are too long.
 */
const MAX_KEY_CHARS = 200
/** What one statement settles: many records without values take more room as lines than in their file. */
const MAX_LINES_BYTES = 1024 * 1024

/** Whole lines. */
function* piecesOf(lines: Buffer): Generator<Buffer> {
  for (let from = 0; from < lines.length; ) {
    const last = Math.min(lines.length, from + MAX_LINES_BYTES) - 1
    const end = lines.lastIndexOf('\n', last)
    const to = (end >= from ? end : lines.indexOf('\n', from)) + 1
    yield lines.subarray(from, to)
    from = to
  }
}

/** Whether records are stored as COPY writes them: nobody gave the table a trigger that may change them. */
async function hasNoTriggers(tx: Db, { table, isDistributed }: Entity): Promise<boolean> {
  // Where the table's rows are on other nodes, its triggers are, too.
  if (isDistributed) return false
  const found = sql`select 1 from pg_trigger
    join pg_proc on pg_proc.oid = tgfoid
    where tgrelid = format('%I.%I', ${table.schema}::text, ${table.name}::text)::regclass
      and not tgisinternal and pronamespace <> 'engine'::regnamespace limit 1`
  return (await rows(tx, found)).length === 0
}
