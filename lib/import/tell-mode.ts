import type { ImportColumn, ImportRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { beginPreparation } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { noFaults } from '@/lib/rows/record-faults'
import { isObject } from '@/lib/values/json'
import { nameReferences } from './columns/name-references'
import { recordMaker, rowFaults } from './columns/record-maker'
import { FileFault, type Source, type SourceRow } from './file/source'
import { importRules, importView } from './import-rules'
import { columnsOf, type OpenRequest, requireRights, uniqueFields } from './open-import'
import { partWriter } from './rows/part-writer'

type Told = {
  mode: ImportRow['mode']
  /** The first fields that identify a record and are in the file; none where the file has no such fields, or the caller may not update. */
  key: string[]
}

const NEW: Told = { mode: 'create', key: [] }

/**
 * What fits the first rows of a file, by which of them are stored: all of them are updated, none is created, some are both.
 * Records that the caller may not see count as new. For callers who may only create records that is all there is.
 */
export async function tellMode(
  deps: Deps,
  request: OpenRequest,
  source: Source,
  rows: readonly SourceRow[],
): Promise<Told> {
  const entity = await requireRights(deps, { ...request, query: EITHER }).catch(unlessForbidden)
  if (!entity) return NEW
  const rules = await importRules(deps, request.actor, entity, 'update')
  const columns = columnsOf(entity, source, request, rules)
  const isMapped = (name: string) => columns.some(({ field }) => field === name)
  const key = uniqueFields(entity, rules).find((fields) => fields.every(isMapped))
  if (!key) return NEW
  // Only what identifies records decides: other fields may be at fault.
  const identifying = columns.map((one) => (key.includes(one.field ?? '') ? one : leftOut(one)))
  const view = importView(entity, rules)
  const preparation = beginPreparation(view, 'update', {
    ...{ identifiedBy: key, matchingMs: MATCHING_MS },
    exceeded: () => new FileFault('Its keys take too long to check'),
  })
  const how = { mode: 'update', isDryRun: true, ignoresUnknown: true } as const
  const toRecord = recordMaker(view, identifying, { ...how, format: source.format })
  const faultOf = rowFaults(view, identifying)
  const toKeys = await nameReferences(deps, request.actor, view, {
    ...{ columns: identifying, format: source.format },
  })
  const keyed = await toKeys(rows, async () => deps.db)
  const named: PreparedRow[] = []
  let unnamed = 0
  for (const row of keyed) {
    if (faultOf(row) !== undefined) continue
    const record = toRecord(row)
    if (isObject(record) && key.some((name) => (record[name] ?? null) === null)) unnamed++
    else await preparation.add([record], (one) => named.push(one))
  }
  const plan = { ...how, key, columns: identifying, actor: request.actor, rules, toKeys }
  const writer = await partWriter(deps.db, entity, plan, {
    ...{ faults: noFaults(), isText: false, isSheet: false },
  })
  await writer.add(named, () => [])
  const missing = writer.missing()
  if (missing === named.length) return { mode: 'create', key }
  return { mode: missing + unnamed === 0 ? 'update' : 'upsert', key }
}

const EITHER = { mode: 'upsert' } as OpenRequest['query']

const leftOut = (column: ImportColumn): ImportColumn => ({ ...column, field: null })

function unlessForbidden(error: unknown): null {
  if (error instanceof AppError && error.code === 'forbidden') return null
  throw error
}

/** How long patterns may be matched. */
const MATCHING_MS = 1_000
