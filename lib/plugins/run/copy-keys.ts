import { sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import { copyIn } from '@/lib/db/copy-in'
import { givenRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { RecordContents } from '@/lib/plugins/content/record-content'
import { LineBuffer } from '@/lib/records/line-buffer'
import type { PreparedRow } from '@/lib/records/prepared-row'
import { type GivenFile, idOf, keyOf, noteFile } from './given-records'

/** The bytes of one COPY. */
const PART_BYTES = 1024 * 1024

/**
 * Remembers the keys generated for the records of a file that gave none before, as `rememberKeys`
 * does. `note` keeps them as text, and `write` passes them to the database at the end: a record at fault
 * may still come.
 */
export function keyCopier({ keys }: Entity, file: GivenFile) {
  const id = idOf(file)
  const lines = new LineBuffer()
  const parts: Buffer[] = []

  const note = (written: readonly PreparedRow[], contents: RecordContents) =>
    forEachInTurns(written, ({ index, values }) => {
      const content = contents.get(index)
      if (!content) return
      const key = JSON.stringify(keyOf(keys, values)).replaceAll('\\', '\\\\')
      lines.add(`${id}\t${content.digest}\t${content.ordinal}\t${key}\n`)
      if (lines.size >= PART_BYTES) parts.push(lines.take())
    })

  async function write(tx: Db): Promise<void> {
    if (lines.size > 0) parts.push(lines.take())
    if (parts.length === 0) return
    await noteFile(tx, file)
    const statement = sql`copy ${givenRecords} (file_id, digest, ordinal, key) from stdin`
    for (const part of parts) await copyIn(tx, statement, part)
  }

  return { note, write }
}
