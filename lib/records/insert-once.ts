import { randomUUID } from 'node:crypto'
import { auditJson } from '@/lib/audit/record-audit'
import { rows as rowsOf } from '@/lib/db/rows'
import { type Entity, EXTRA_COLUMN, type InsertDuplicate } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { StaleDefinitionError } from '@/lib/registry/definition-version'
import { defaultsOf } from '@/lib/rows/compiled-entity'
import { explainConflicts, isRowConflict } from '@/lib/rows/conflicts'
import { inLockOrder, repeatsKey } from '@/lib/rows/distinct-rows'
import { newExtraFieldsOf } from '@/lib/rows/extra-fields'
import { greatestOf } from '@/lib/rows/generated-keys'
import { jsonChunks, presenceOf, wholeEncoder, withPosition } from '@/lib/rows/json-chunks'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { requireNoConflicts } from '@/lib/rows/record-faults'
import type { CreateRecords } from './create-records'
import { type InsertShape, insertOnceStatement } from './insert-statement'
import { insertTogether } from './insert-together'

export type Insertion = Pick<CreateRecords, 'naming' | 'actor' | 'requestId'> & {
  onDuplicate: InsertDuplicate
}
type Plan = { json: string; shape: InsertShape; greatest: bigint }

/**
 * Stores new records by one statement, which is a transaction of its own, and returns them as a list
 * in JSON text. Null, with nothing written, when one statement doesn't do: a record may overwrite
 * another, the entity is on the nodes of a cluster, it brings an undeclared field that is new, or the rows are too long. Throws as
 * `createRecords`, and `StaleDefinitionError`.
 */
export async function insertOnce(
  deps: Deps,
  entity: Entity,
  prepared: readonly PreparedRow[],
  { onDuplicate, naming, actor, requestId }: Insertion,
): Promise<string | null> {
  const rows = withMadeKeys(entity, prepared)
  const plan = await planOf(entity, rows, onDuplicate)
  if (!plan) return null
  const { json, shape, greatest } = plan
  const isPlain = shape.isSingle && shape.passed === null && naming === 'single'
  const together = isPlain
    ? await insertTogether(deps, { entity, shape, json, actor, requestId })
    : null
  if (together !== null) return `[${together}]`
  const audit = auditJson(actor, {
    action: 'records.create',
    objectType: entity.name,
    details: { created: rows.length, updated: 0, unchanged: 0, failed: 0 },
    requestId,
  })
  const at = new Date().toISOString()
  const values = { rows: json, audit, at, by: actor.name, greatest: String(greatest) }
  try {
    const found = await rowsOf<{ data: string | null }>(
      deps.db,
      insertOnceStatement(entity, shape).with(values),
    )
    const data = found[0]?.data
    if (!data) throw new StaleDefinitionError()
    return shape.isSingle ? `[${data}]` : data
  } catch (error) {
    if (!isRowConflict(error)) throw error
    const { kind, details, count } = await explainConflicts(deps.db, entity, rows, 'Error', error)
    requireNoConflicts({ kind, details, count }, naming)
    throw error
  }
}

/** Rows with a UUID where one is generated. */
function withMadeKeys({ definition }: Entity, rows: readonly PreparedRow[]): PreparedRow[] {
  const made = definition.keys.filter(({ strategy }) => strategy === 'UUID')
  if (made.length === 0) return [...rows]
  return rows.map((row) => {
    const values = { ...row.values }
    for (const { key } of made) values[key] ??= randomUUID()
    return { index: row.index, values, extra: row.extra }
  })
}

async function planOf(
  entity: Entity,
  rows: PreparedRow[],
  onDuplicate: InsertDuplicate,
): Promise<Plan | null> {
  const isSingle = rows.length === 1
  const counters = entity.definition.keys.filter(({ strategy }) => strategy === 'AutoIncrement')
  const [counter] = counters
  const withKey = counter
    ? rows.filter(({ values }) => (values[counter.key] ?? null) !== null)
    : rows
  // Nodes of a cluster don't share a statement that also writes to the audit log.
  if (rows.length === 0 || counters.length > 1 || entity.isDistributed) return null
  if (withKey.length > 0 && withKey.length < rows.length) return null
  const lacking = withKey.length === 0 ? (counter?.key ?? null) : null
  if (lacking === null && (onDuplicate !== 'Error' || (await repeatsKey(entity, rows)))) return null
  if ((await newExtraFieldsOf(entity, rows)).length > 0) return null
  const greatest = counter && lacking === null ? await greatestOf(rows, counter.key) : 0n
  const passed = greatest > 0n && counter ? counter.key : null
  const ordered = lacking === null ? await inLockOrder(entity, rows) : rows
  const encode = wholeEncoder(defaultsOf(entity))
  const [chunk] = jsonChunks(ordered, lacking || isSingle ? encode : withPosition(encode))
  if (chunk?.rows.length !== rows.length) return null
  const columns = await columnsOf(entity, rows, lacking)
  const json = isSingle ? chunk.json.slice(1, -1) : chunk.json
  return { json, greatest, shape: { columns, isSingle, lacking, passed } }
}

async function columnsOf(entity: Entity, rows: PreparedRow[], lacking: string | null) {
  const { every, some, extra } = await presenceOf(entity, rows)
  const withKey = new Set([...every, ...some, ...defaultsOf(entity).keys()])
  if (extra || withKey.size === 0) withKey.add(EXTRA_COLUMN)
  if (lacking !== null) withKey.delete(lacking)
  return withKey.size > 0 ? [...withKey] : [EXTRA_COLUMN]
}
