import crypto from 'node:crypto'
import { turnGiver } from '@/lib/async/turns'
import { currentBudget, requireBudget } from '@/lib/db/budget'
import type { Entity } from '@/lib/definitions/definition'
import type { FileDetail } from '@/lib/definitions/definition-faults'
import { DigestCounts } from '@/lib/rows/digest-counts'
import { beginPreparation, tooSlowToMatch } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { FileFailure, failureOf, type PlannedFile } from './plugin-file'
import { readData, toFailure } from './read-content'

/** The time limit for matching patterns in a file, which pauses for other requests. */
const FILE_MATCHING_MS = 30_000

export type RowReader = {
  /**
   * Passes each valid record to `take`, in order; yields after some. Throws errors that `toFailure`
   * understands.
   */
  read: (take: (row: PreparedRow) => void) => AsyncGenerator<void>
  /** The contents of the records without a key, of all parts since it was called last. */
  takeContents: () => RecordContents
  /** How many faults the records have that were read. */
  faultCount: () => number
  /** That some of them are at fault. */
  failure: () => FileFailure
}

/** Reads the records of a data file and checks them against the entity's definition. */
export function readRows(file: PlannedFile, entity: Entity): RowReader {
  const preparation = beginPreparation(entity, 'insert', {
    matchingMs: FILE_MATCHING_MS,
    exceeded: (index) =>
      new FileFailure('Invalid record', [
        { index, message: tooSlowToMatch('one file', 'records') },
      ]),
  })
  const content = contentReader(entity.keys)

  async function* read(take: (row: PreparedRow) => void) {
    const giveTurn = turnGiver()
    let index = 0
    for await (const records of readData(file)) {
      requireBudget(currentBudget())
      for (const record of records) {
        content.add(record, index++)
        const turn = giveTurn()
        if (turn) await turn
      }
      await preparation.add(records, take)
      yield
    }
  }

  const failure = () => failureOf('Invalid record', preparation.faults)
  return { read, takeContents: content.take, faultCount: () => preparation.faults.count, failure }
}

/** Fields in which responses of APIs have a list of records, in lower case. */
const LISTS: ReadonlySet<string> = new Set([
  ...['data', 'docs', 'documents', 'entities', 'entries', 'hits', 'items', 'list'],
  ...['objects', 'records', 'result', 'results', 'rows', 'values'],
])

/** Whether a file is one object. */
export const mayBeEnvelope = ({ bytes }: Pick<PlannedFile, 'bytes'>): boolean =>
  /^\uFEFF?\s*\{/.test(Buffer.from(bytes.subarray(0, 1_000)).toString())

/**
 * A warning for a file of one object without a field of its entity that has a list of objects, as the response of an
 * API has it: it is one record.
 */
export async function envelopeWarnings(file: PlannedFile, entity: Entity): Promise<FileDetail[]> {
  if (!mayBeEnvelope(file)) return []
  const record = await firstRecord(file)
  if (!record || entity.properties.some(({ name }) => name in record)) return []
  for (const [name, list] of Object.entries(record)) {
    if (!LISTS.has(name.toLowerCase()) || !Array.isArray(list)) continue
    if (list.length > 0 && list.every(isObject)) return [{ message: messageOf(name, list) }]
  }
  return []
}

/** Null for a file with a fault, which is found again when its records are read. */
async function firstRecord(file: PlannedFile): Promise<JsonObject | null> {
  try {
    for await (const [record] of readData(file)) return record ?? null
  } catch (error) {
    if (!toFailure(error)) throw error
  }
  return null
}

const messageOf = (name: string, { length }: readonly unknown[]): string =>
  `The file is one record; if its records are the ${length === 1 ? 'object' : `${length} objects`} in "${name}", make the file that list`

/** Identifies a record without a key: a digest of its fields, and the number of equal ones before it. */
export type RecordContent = { index: number; digest: string; ordinal: number }

/**
 * Reads the contents of records as given in the file, independent of later changes of definitions.
 * The order of fields is ignored. Call `add` for each record in order; it takes only those without a
 * complete key. `take` returns those added since it was called last.
 */
export function contentReader(keys: readonly string[]) {
  const counts = new DigestCounts()
  let contents = new RecordContents()
  return {
    add(record: Json, index: number): void {
      if (!isObject(record) || keys.every((key) => (record[key] ?? null) !== null)) return
      const digest = digestOf(objectText(record, keys))
      contents.add(index, digest, counts.add(digest))
    },
    take(): RecordContents {
      const taken = contents
      contents = new RecordContents()
      return taken
    },
  }
}

const DIGEST_BYTES = 16

/** Millions of contents by the indexes of their records, in 24 bytes each. */
export class RecordContents {
  private indexes = new Uint32Array(64)
  private ordinals = new Uint32Array(64)
  private digests = Buffer.alloc(64 * DIGEST_BYTES)
  size = 0

  /** Indexes must ascend. */
  add(index: number, digest: Buffer, ordinal: number): void {
    if (this.size === this.indexes.length) this.grow()
    this.indexes[this.size] = index
    this.ordinals[this.size] = ordinal
    digest.copy(this.digests, this.size * DIGEST_BYTES, 0, DIGEST_BYTES)
    this.size++
  }

  get(index: number): RecordContent | undefined {
    const at = this.positionOf(index)
    if (this.size === 0 || this.indexes[at] !== index) return undefined
    const from = at * DIGEST_BYTES
    const digest = this.digests.toString('hex', from, from + DIGEST_BYTES)
    return { index, digest, ordinal: this.ordinals[at] ?? 0 }
  }

  private positionOf(index: number): number {
    let [low, high] = [0, this.size - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.indexes[middle] ?? 0) < index) low = middle + 1
      else high = middle
    }
    return low
  }

  private grow(): void {
    const larger = (values: Uint32Array) => {
      const copy = new Uint32Array(values.length * 2)
      copy.set(values)
      return copy
    }
    this.indexes = larger(this.indexes)
    this.ordinals = larger(this.ordinals)
    this.digests = Buffer.concat([this.digests], this.digests.length * 2)
  }
}

/** SHA-256. Node does it in one call since 20.12 only, in half the time. */
const digestOf: (text: string) => Buffer = crypto.hash
  ? (text) => crypto.hash('sha256', text, 'buffer')
  : (text) => crypto.createHash('sha256').update(text).digest()

/** JSON with the names of every object in one order. */
function canonicalText(value: Json): string {
  if (isObject(value)) return objectText(value, NO_KEYS)
  if (!Array.isArray(value)) return JSON.stringify(value)
  return `[${value.map(canonicalText).join(',')}]`
}

const NO_KEYS: readonly string[] = []

/** Without the `keys` that are null: a null part of the key counts as missing. */
function objectText(object: JsonObject, keys: readonly string[]): string {
  let text = ''
  for (const name of Object.keys(object).sort()) {
    const value = object[name] ?? null
    if (value === null && keys.includes(name)) continue
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${canonicalText(value)}`
  }
  return text === '' ? '{}' : `${text}}`
}
