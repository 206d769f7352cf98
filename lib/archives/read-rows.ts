import { turnGiver } from '@/lib/async/turns'
import { currentBudget, requireBudget } from '@/lib/db/budget'
import type { Entity } from '@/lib/definitions/definition'
import type { FileDetail } from '@/lib/definitions/definition-faults'
import { beginPreparation, tooSlowToMatch } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { isObject, type JsonObject } from '@/lib/values/json'
import { FileFailure, failureOf, type PlannedFile } from './plugin-file'
import { readData, toFailure } from './read-content'
import { contentReader, type RecordContents } from './record-contents'

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
  const hasOtherKey = entity.keys.some((key) => [...(file.renamed?.values() ?? [])].includes(key))

  async function* read(take: (row: PreparedRow) => void) {
    const giveTurn = turnGiver()
    let index = 0
    for await (const written of readData(file)) {
      requireBudget(currentBudget())
      const records = file.renamed ? written.map(renamedIn(file.renamed)) : written
      for (const [at, record] of records.entries()) {
        // A record without a key is recognised by its fields as they are written.
        content.add(hasOtherKey ? record : (written[at] ?? record), index++)
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

/** A record with the present names of its fields. */
const renamedIn =
  (names: ReadonlyMap<string, string>) =>
  (record: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => {
        const present = names.get(name)
        return [present === undefined || present in record ? name : present, value]
      }),
    )

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
