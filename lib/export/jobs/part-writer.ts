import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import { formatBytes } from '@/lib/values/format-bytes'
import { addPart, type Claimed } from './store'

/** The export was cancelled, deleted or taken over: nothing more is written for this run. */
export class ExportLostError extends Error {
  override readonly name = 'ExportLostError'
}

const PART_BYTES = 1024 * 1024

/**
 * Writes a file in parts. `write` and `end` throw `ExportLostError`, and `too_large` for a file of more
 * than `maxBytes`.
 */
export function partWriter(db: Db, job: Claimed, maxBytes: number) {
  let waiting: Uint8Array[] = []
  let [waitingBytes, allBytes, position] = [0, 0, 0]
  const writer = { doneRows: 0, write, end }

  async function write(chunk: Uint8Array): Promise<void> {
    waiting.push(chunk)
    waitingBytes += chunk.length
    allBytes += chunk.length
    if (allBytes > maxBytes) throw tooLarge(maxBytes)
    if (waitingBytes >= PART_BYTES) await end()
  }

  async function end(): Promise<void> {
    if (waitingBytes === 0) return
    const part = { position, bytes: Buffer.concat(waiting), doneRows: writer.doneRows }
    if (!(await addPart(db, job, part))) throw new ExportLostError()
    waiting = []
    waitingBytes = 0
    position += 1
  }
  return writer
}

const tooLarge = (maxBytes: number) =>
  new AppError(
    'too_large',
    `The file would be larger than ${formatBytes(maxBytes)}; export fewer records or columns`,
  )
