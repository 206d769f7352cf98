import { sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import { tableSql } from '@/lib/db/identifiers'
import { rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { RecordContents } from '@/lib/plugins/content/record-content'
import type { CopyFormat } from '@/lib/rows/copy-rows'
import type { Copied } from '@/lib/rows/load-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import type { Origin } from './origin'
import { createdEncoder, rememberChunk, rememberLater, rememberTable } from './remember-created'

/** The characters of one statement. */
const PART_CHARS = 2_000_000

export type CreatedRecorder = {
  /** Keeps records that COPY wrote as these lines, all of which have a key in the file, to be remembered later. */
  keep: (copied: Copied) => Promise<void>
  /** Keeps, as text, the contents of those without one, which are remembered at the end. */
  note: (written: readonly PreparedRow[], contents: RecordContents) => Promise<void>
  /** Remembers what is left. False when the table has other records than the `created` ones. */
  end: (created: number) => Promise<boolean>
}

/**
 * Remembers the records with which a file fills an empty table. Parts of records with keys are kept as they were copied, and
 * remembered when that is needed or the database has time; where the table may have changed them, the end remembers what it has.
 */
export function createdRecorder(
  tx: Db,
  entity: Entity,
  origin: Origin,
  columns: CopyFormat['columns'],
): CreatedRecorder {
  const table = tableSql(entity.table)
  const parts: Buffer[] = []
  const kept: number[] = []
  let texts: string[] = []
  let chars = 0
  let remembered = 0
  let mayWait: Promise<boolean> | null = null

  async function keep({ lines, count, longestKey }: Copied): Promise<void> {
    mayWait ??= columns.length <= MAX_COLUMNS ? hasNoTriggers(tx, entity) : NEVER
    const isOdd = parts.length > 0 || texts.length > 0 || longestKey > MAX_KEY_CHARS
    if (isOdd || !(await mayWait)) return
    for (const piece of piecesOf(lines))
      kept.push(await rememberLater(tx, entity, origin, { columns, lines: piece }))
    remembered += count
  }

  const close = () => {
    if (texts.length > 0) parts.push(Buffer.from(`[${texts.join(',')}]`))
    texts = []
    chars = 0
  }

  async function note(written: readonly PreparedRow[], contents: RecordContents): Promise<void> {
    if (contents.size === 0) return
    const encode = createdEncoder(entity, contents)
    await forEachInTurns([...written], (row) => {
      const text = encode(row)
      texts.push(text)
      chars += text.length
      if (chars >= PART_CHARS) close()
    })
  }

  async function end(created: number): Promise<boolean> {
    close()
    let others = 0
    for (const part of parts) others += await rememberChunk(tx, entity, origin, part.toString())
    if (remembered + others < created) remembered = await rememberTable(tx, entity, origin, kept)
    return remembered + others === created && (await tx.$count(table)) === created
  }

  return { keep, note, end }
}

/** Taking lines apart takes time with the square of their values. */
const MAX_COLUMNS = 200
const NEVER = Promise.resolve(false)
/**
 * The index of what is remembered takes 2,704 bytes, of which a key of several parts may need six for a character. Longer
 * ones are remembered at once, so that their file fails if they are too long.
 */
const MAX_KEY_CHARS = 200
/** What one statement settles: many records without values take more room as lines than in their file. */
const MAX_LINES_BYTES = 1024 * 1024
const NEWLINE = 10

/** Whole lines. */
function* piecesOf(lines: Buffer): Generator<Buffer> {
  for (let from = 0; from < lines.length; ) {
    const last = Math.min(lines.length, from + MAX_LINES_BYTES) - 1
    const end = lines.lastIndexOf(NEWLINE, last)
    const to = (end >= from ? end : lines.indexOf(NEWLINE, from)) + 1
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
