import { sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import { tableSql } from '@/lib/db/identifiers'
import { rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { RecordContents } from '@/lib/plugins/content/record-content'
import type { CopyFormat } from '@/lib/records/copy-rows'
import type { PreparedRow } from '@/lib/records/prepared-row'
import type { Origin } from './origin'
import { createdEncoder, rememberChunk, rememberLater, rememberTable } from './remember-created'

/** The characters of one statement. */
const PART_CHARS = 2_000_000

export type CreatedRecorder = {
  /** Keeps records that COPY wrote as these lines, all of which have a key in the file, to be remembered later. */
  keep: (lines: Buffer, count: number) => Promise<void>
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
  let storesAsGiven: Promise<boolean> | null = null

  async function keep(lines: Buffer, count: number): Promise<void> {
    storesAsGiven ??= hasNoTriggers(tx, entity)
    if (parts.length > 0 || texts.length > 0 || !(await storesAsGiven)) return
    kept.push(await rememberLater(tx, entity, origin, { columns, lines }))
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

/** Whether records are stored as COPY writes them: nobody gave the table a trigger that may change them. */
async function hasNoTriggers(tx: Db, { table, isDistributed }: Entity): Promise<boolean> {
  // Where the table's rows are on other nodes, its triggers are, too.
  if (isDistributed) return false
  const found = sql`select 1 from pg_trigger
    where tgrelid = format('%I.%I', ${table.schema}::text, ${table.name}::text)::regclass
      and not tgisinternal and (tgtype & ${BEFORE_EACH_ROW}::int) = ${BEFORE_EACH_ROW}::int limit 1`
  return (await rows(tx, found)).length === 0
}

/** PostgreSQL's `TRIGGER_TYPE_ROW` and `TRIGGER_TYPE_BEFORE`. */
const BEFORE_EACH_ROW = 3
