import { sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { RecordContents } from '@/lib/plugins/content/record-content'
import type { PreparedRow } from '@/lib/records/prepared-row'
import type { Origin } from './origin'
import { createdEncoder, rememberChunk, rememberRange, rememberTable } from './remember-created'

/** The characters of one statement. */
const PART_CHARS = 2_000_000

export type CreatedRecorder = {
  /** Remembers the records that were stored since the last call, if all of them have a key in the file. */
  rememberStored: () => Promise<void>
  /** Keeps, as text, the contents of those without one, which are remembered at the end. */
  note: (written: readonly PreparedRow[], contents: RecordContents) => Promise<void>
  /** Remembers what is left. False when the table has other records than the `created` ones. */
  end: (created: number) => Promise<boolean>
}

/**
 * Remembers the records with which a file fills an empty table: while further ones are read, those that
 * are stored. They are found by their place in the table, as what is added comes behind what is there; if it
 * does not (the table was emptied, not truncated), the end finds them.
 */
export function createdRecorder(tx: Db, entity: Entity, origin: Origin): CreatedRecorder {
  const table = tableSql(entity.table)
  const parts: Buffer[] = []
  let texts: string[] = []
  let chars = 0
  let remembered = 0
  let last = '(0,0)'

  async function rememberStored(): Promise<void> {
    // Places are those of one node.
    if (parts.length > 0 || texts.length > 0 || entity.isDistributed) return
    const found = sql`select max(ctid)::text as through from ${table} where ctid > ${last}::tid`
    const { through } = one(await rows<{ through: string | null }>(tx, found))
    if (through === null) return
    remembered += await rememberRange(tx, entity, origin, { after: last, through })
    last = through
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
    for (const part of parts) remembered += await rememberChunk(tx, entity, origin, part.toString())
    if (remembered < created) remembered += await rememberTable(tx, entity, origin)
    return remembered === created && (await tx.$count(table)) === created
  }

  return { rememberStored, note, end }
}
