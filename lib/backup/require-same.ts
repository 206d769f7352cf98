import type { ClientBase } from 'pg'
import type { Manifest } from './contract'
import { copyRows, readSequence, writePlainly } from './copy-rows'
import { nameOf } from './read-structure'
import { measure } from './write-file'

/**
 * Compares what the database of `client`, in a transaction, has with what was backed up: of each table the number of rows and the hash of
 * all their values, of each sequence where it stands. Throws an `Error` that names the first difference.
 */
export async function requireSame(
  client: ClientBase,
  { tables, sequences }: Manifest,
): Promise<void> {
  await writePlainly(client)
  for (const table of tables) {
    const { lines, sha256 } = await measure(copyRows(client, table))
    if (lines !== table.rows)
      throw new Error(`${nameOf(table)}: ${lines} of ${table.rows} rows were restored`)
    if (sha256 !== table.data.sha256)
      throw new Error(`${nameOf(table)}: restored rows differ from those that were backed up`)
  }
  for (const { value, isCalled, ...sequence } of sequences) {
    const restored = await readSequence(client, sequence)
    if (restored.value !== value || restored.isCalled !== isCalled)
      throw new Error(`${nameOf(sequence)} stands at ${restored.value}, not at ${value}`)
  }
}
