import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { findEntity } from '@/lib/registry/registry'
import { ADDED_PREFIX } from '@/lib/tables/table-indexes'
import type { AddedIndexView, Advice, AdviceMeta, Figures, IndexSuggestion } from './contract'
import { estimateCost } from './estimate-cost'
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
