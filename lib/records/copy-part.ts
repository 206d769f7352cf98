import { forEachInTurns } from '@/lib/async/turns'
import { copyIn } from '@/lib/db/copy-in'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { assignKeys } from './assign-keys'
import { copyFormat } from './copy-rows'
import { newExtraFieldsOf, rememberExtraFields } from './extra-fields'
import { LineBuffer } from './line-buffer'
import type { PreparedRow } from './prepared-row'
import type { Signature } from './record-statements'

/**
 * Writes new records by one COPY, in an open transaction on PostgreSQL that is rolled back when it throws: a record that
 * can't be written fails all of them (`isRecordError`) without being named. References are checked by the caller.
 */
export async function copyPart(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  signature: Signature,
): Promise<void> {
  const { statement, keyText, restText } = copyFormat(entity, signature)
  const lines = new LineBuffer()
  await forEachInTurns(await assignKeys(tx, entity, rows), (row) => {
    lines.add(`${keyText(row.values)}${restText(row)}`)
  })
  await copyIn(tx, statement, lines.take())
  await rememberExtraFields(tx, entity, await newExtraFieldsOf(entity, rows))
}
