import type { Entity } from '@/lib/definitions/definition'
import type { FileDetail } from '@/lib/definitions/file-detail'
import { readData, toFailure } from '@/lib/plugins/content/read-content'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { isObject, type JsonObject } from '@/lib/values/json'

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
