import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { findEntity } from '@/lib/registry/registry'
import type { IndexSpec } from '@/lib/tables/ddl-step'
import { ADDED_PREFIX } from '@/lib/tables/table-indexes'
import type { AddedIndexView, Advice, AdviceMeta, Figures, IndexSuggestion } from './contract'
import { estimateGain } from './estimate-gain'
import { usedFieldOf } from './index-request'
import { servingIndex, specOf } from './serving-index'
import { writeSlowSearches } from './slow-searches'
import { findIndexes, findShapes, type ShapeRow } from './store'
import { type Suggested, suggestIndexes } from './suggest-indexes'
import { readTableFigures, type TableFigures } from './table-figures'
import { viewOf } from './view-of'

/** A table below both is read as a whole in no time. */
const SMALL_RECORDS = 1_000
const SMALL_PAGES = 100
/** The gain is estimated for the shapes that take the most time. */
const MAX_ESTIMATED = 20

type AdviceInput = { deps: Deps; entity: Entity; figures: TableFigures; indexes: AddedIndexView[] }

/** The shapes of an entity's slow searches and what would help each; throws `not_found`. */
export async function giveAdvice(
  deps: Deps,
  entityName: string,
): Promise<{ data: Advice[]; meta: AdviceMeta }> {
  const entity = await findEntity(deps, entityName)
  await writeSlowSearches(deps)
  const figures = await readTableFigures(deps.db, entity)
  const found = await findIndexes(deps.db, ADDED_PREFIX, entity.name)
  const indexes = entity.addedIndexes.map((added) => viewOf(entity, added, found))
  const shapes = await findShapes(deps.db, entity.name)
  const data: Advice[] = []
  for (const [position, row] of shapes.entries())
    data.push(await adviceOn({ deps, entity, figures, indexes }, row, position < MAX_ESTIMATED))
  const { records, bytes, indexes: count } = figures
  const table = { records: Math.round(records), bytes, indexes: count }
  return { data, meta: { slowSearchMs: deps.settings.SLOW_SEARCH_MS, table, indexes } }
}

async function adviceOn(input: AdviceInput, row: ShapeRow, isEstimated: boolean): Promise<Advice> {
  const { entity, figures } = input
  const distinct = new Map([...figures.columns].map(([name, one]) => [name, one.distinct]))
  const { indexes, notes } = suggestIndexes(entity, row.shape, distinct)
  const suggestions: IndexSuggestion[] = []
  for (const index of indexes) {
    const suggestion = await suggestionOf(input, row, index, isEstimated)
    if (suggestion) suggestions.push(suggestion)
  }
  return {
    id: row.hash,
    search: row.shape,
    ...meanOf(row),
    totalMs: round(row.totalMs),
    lastMs: round(row.lastMs),
    lastAt: row.lastAt.toISOString(),
    before: row.before ? meanOf(row.before) : null,
    suggestions,
    notes,
  }
}

async function suggestionOf(
  { deps, entity, figures, indexes }: AdviceInput,
  { shape }: ShapeRow,
  { request, why }: Suggested,
  isEstimated: boolean,
): Promise<IndexSuggestion | null> {
  const spec = specOf(entity, request)
  if (!spec) return null
  const existing = servingIndex(entity, request)
  const isBuilding = indexes.some(({ name, state }) => name === existing && state === 'building')
  const isSmall = figures.records < SMALL_RECORDS && figures.pages < SMALL_PAGES
  const verdict = isBuilding ? 'building' : existing ? 'exists' : isSmall ? 'too small' : 'create'
  const isWanted = verdict === 'create' && isEstimated
  return {
    create: { kind: request.kind, fields: request.parts.map(usedFieldOf) },
    why,
    verdict,
    existing,
    cost: estimateCost(spec, figures),
    gain: isWanted ? await estimateGain(deps.db, entity, shape, spec, figures) : null,
  }
}

const meanOf = ({
  runs,
  totalMs,
  maxMs,
}: {
  runs: number
  totalMs: number
  maxMs: number
}): Figures => ({
  runs,
  meanMs: round(runs > 0 ? totalMs / runs : 0),
  maxMs: round(maxMs),
})

const round = (ms: number) => Math.round(ms * 10) / 10

/** Where nothing is known about a column. */
const UNKNOWN = { width: 24, distinct: 0 }
/** Item pointer and tuple header of a B-tree entry, in bytes, and how full its pages are. */
const ENTRY_BYTES = 12
const FULL = 0.9
/** Bytes of a repeated value, which a B-tree stores once (measured: 7.0 of 100,000 rows with 500 values). */
const REPEATED_BYTES = 7
/** Bytes of a GIN index for a byte of text or JSON (measured: 2.2 to 3.0, and 1.3). */
const TRIGRAM_BYTES = 2.6
const JSON_BYTES = 1.3
/** An entry for about this many bytes of JSON. */
const JSON_ENTRY_BYTES = 16

/** The size that an index will have, and the entries that writing a record adds to it. */
function estimateCost(
  { method, parts }: IndexSpec,
  { records, columns }: TableFigures,
): { bytes: number; entriesPerRecord: number } {
  const known = parts.map(({ column }) => columns.get(column) ?? UNKNOWN)
  const width = known.reduce((total, one) => total + one.width, 0)
  if (method === 'gin') {
    const isText = parts.some(({ operators }) => operators === 'gin_trgm_ops')
    return {
      bytes: Math.round(records * width * (isText ? TRIGRAM_BYTES : JSON_BYTES)),
      // A word of n letters has n + 1 trigrams, as blanks before and after it count.
      entriesPerRecord: Math.max(1, Math.round(isText ? width + 1 : width / JSON_ENTRY_BYTES)),
    }
  }
  const distinct = known.reduce((most, one) => Math.max(most, one.distinct), 0)
  const isRepeated = distinct > 0 && distinct < records / 4
  const entry = isRepeated ? REPEATED_BYTES : (ENTRY_BYTES + Math.ceil(width / 8) * 8) / FULL
  return { bytes: Math.round(records * entry), entriesPerRecord: 1 }
}
