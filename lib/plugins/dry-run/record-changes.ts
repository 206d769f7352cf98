import { isDeepStrictEqual } from 'node:util'
import { AUDIT_FIELDS } from '@/lib/definitions/definition'
import { ID_FIELD } from '@/lib/search/resolve-field'
import { isObject, type Json, type JsonObject, parseJson } from '@/lib/values/json'

/** Which part of a plan's records or conflicts is asked for: a page of one data file. */
export type RecordsPage = {
  file: string
  page: number
  size: number
  detail: 'records' | 'conflicts'
}

/**
 * What a data file does to a record. `index` is its place in the file: null for records that get their
 * key when they are installed, and for those that the file does not have. `before` and `after` have the
 * fields that change; null where there is no record.
 */
export type RecordChange = {
  index: number | null
  key: JsonObject | null
  verdict: 'created' | 'updated' | 'unchanged' | 'deleted'
  before: JsonObject | null
  after: JsonObject | null
}

/** A page of them, and the number of all. */
export type RecordChanges = { total: number; items: RecordChange[] }

/** A record before and after, as JSON texts of the API's form. */
export type ChangedRow = {
  index: number | null
  key: string
  was: boolean
  exists: boolean
  differs: boolean
  before: string | null
  after: string | null
}

/** Numbers keep all their digits, as marked texts (`lib/values/exact-numbers`). */
export function toRecordChange(keys: readonly string[], row: ChangedRow): RecordChange {
  const { index } = row
  const isGenerated = !row.was && index === null
  const before = read(row.before)
  const after = read(row.after)
  if (isGenerated && after) for (const key of keys) delete after[key]
  const key = isGenerated ? null : read(row.key)
  if (!row.was) return { index, key, verdict: 'created', before: null, after }
  if (!row.exists) return { index, key, verdict: 'deleted', before, after: null }
  const verdict = row.differs ? 'updated' : 'unchanged'
  return { index, key, verdict, ...changedFields(before ?? {}, after ?? {}) }
}

function changedFields(before: JsonObject, after: JsonObject) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const pick = (from: JsonObject): JsonObject =>
    Object.fromEntries(
      changed.flatMap((name): [string, Json][] =>
        name in from ? [[name, from[name] ?? null]] : [],
      ),
    )
  return { before: pick(before), after: pick(after) }
}

/** Without what the engine adds: the id, and the audit fields, which depend on when it is installed. */
function read(text: string | null): JsonObject | null {
  if (text === null) return null
  const json = parseJson(text, { exactly: true })
  if (!isObject(json)) return null
  for (const name of [ID_FIELD, ...AUDIT_FIELDS]) delete json[name]
  return json
}
