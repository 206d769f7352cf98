import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { TrashProblem } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { FileDetail } from '@/lib/definitions/file-detail'
import type { KeptEdit } from '@/lib/records/kept-edits'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { stringifyExactly } from '@/lib/values/exact-numbers'
import type { Json, JsonObject } from '@/lib/values/json'
import { noteProblems } from './restored-rows'

/** Why edits can't be taken back, by their ids. */
export type Problems = Map<number, TrashProblem>

/** The field of a pointer to it. */
export const fieldOf = ({ pointer = '' }: FileDetail): string =>
  pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')

/** Whether a record has other values now than the edit gave it. */
export function sinceThen({ after }: KeptEdit, present: JsonObject): TrashProblem | null {
  const fields = Object.keys(after).filter(
    (name) => !isDeepStrictEqual(present[name] ?? null, after[name] ?? null),
  )
  if (fields.length === 0) return null
  return { reason: 'changed-since', fields, value: valuesOf(fields, present) }
}

export function notFitting({ before, after }: KeptEdit, detail?: FileDetail): TrashProblem {
  const fields = detail ? [fieldOf(detail)] : Object.keys(after)
  return { reason: 'does-not-fit', fields, value: valuesOf(fields, before) }
}

const valuesOf = ([only, ...others]: string[], record: JsonObject): Json =>
  others.length === 0
    ? (record[only ?? ''] ?? null)
    : [only ?? '', ...others].map((name) => record[name] ?? null)

export const without = (rows: PreparedRow[], gone: readonly PreparedRow[]): PreparedRow[] => {
  const indexes = new Set(gone.map(({ index }) => index))
  return indexes.size === 0 ? rows : rows.filter(({ index }) => !indexes.has(index))
}

export async function noteEdits(tx: Db, batchId: string, problems: Problems): Promise<void> {
  if (problems.size === 0) return
  const list = [...problems].map(([id, problem]) => ({ id, problem }) as JsonObject)
  await noteProblems(
    tx,
    batchId,
    sql`select id as "$id", problem
      from json_to_recordset(${stringifyExactly(list)}::text::json) as p(id bigint, problem jsonb)`,
  )
}
