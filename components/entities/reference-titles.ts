import { useQuery } from '@tanstack/react-query'
import type { Condition } from '@/components/data-table/filter/condition'
import { useCan } from '@/components/shell/viewer'
import { api } from '@/lib/http/client'
import { isNumberKind } from '@/lib/kinds/kind'
import { getQueryClient } from '@/lib/query/client'
import type { Search } from '@/lib/query/search-key'
import { plainText } from '@/lib/values/exact-json'
import { columnsOptions, entityPath } from './entity-queries'
import { nameOf, titleFields } from './record-title'
import type { ColumnDescription, EntityRecord } from './types'
import { type Peek, peekText } from './use-panel'

const STALE_MS = 60_000

/** What the record is called that these values identify; null while it is not known, or not to be read. */
export function useReferenceTitle(referred: Peek | null): string | null {
  const mayRead = useCan({ entity: referred?.entity ?? '*', action: 'read' })
  const title = useQuery({
    ...titleOptions(referred ?? { entity: '', values: {} }),
    enabled: mayRead && referred !== null,
  })
  return title.data ?? null
}

// Below the searches of the entity: what makes them stale makes titles stale.
export const titleOptions = (referred: Peek) => ({
  queryKey: ['search', referred.entity, 'title', peekText(referred)],
  queryFn: () => askTogether(referred),
  staleTime: STALE_MS,
  retry: false,
  retryOnMount: false,
})

type Values = Peek['values']
type Waiting = {
  values: Values
  resolve: (title: string | null) => void
  reject: (error: unknown) => void
}
type Batch = { entity: string; waiting: Waiting[] }

/** Titles that are asked for in the same moment, by entity and fields. */
const batches = new Map<string, Batch>()

function askTogether({ entity, values }: Peek): Promise<string | null> {
  const key = JSON.stringify([entity, Object.keys(values).sort()])
  return new Promise((resolve, reject) => {
    const batch = batches.get(key)
    if (batch) {
      batch.waiting.push({ values, resolve, reject })
      return
    }
    const opened = { entity, waiting: [{ values, resolve, reject }] }
    batches.set(key, opened)
    setTimeout(() => {
      batches.delete(key)
      void answer(opened)
    })
  })
}

async function answer({ entity, waiting }: Batch): Promise<void> {
  try {
    const titles = await loadTitles(
      entity,
      waiting.map(({ values }) => values),
    )
    for (const { values, resolve } of waiting) resolve(titles.get(keyOfValues(values)) ?? null)
  } catch (error) {
    for (const { reject } of waiting) reject(error)
  }
}

/** One request for as many as a page may have. */
async function loadTitles(
  entity: string,
  wanted: readonly Values[],
): Promise<Map<string, string | null>> {
  const { data: columns } = await getQueryClient().fetchQuery(columnsOptions(entity))
  const titles = new Map<string, string | null>()
  const fields = Object.keys(wanted[0] ?? {})
  const size = batchSize(fields)
  for (let at = 0; at < wanted.length; at += size) {
    const search = titlesSearch(columns, wanted.slice(at, at + size))
    if (!search) continue
    const { data } = await api<EntityRecord>(entityPath(entity, '/search'), {
      method: 'POST',
      body: search,
    })
    for (const [key, title] of titlesByKey(data, columns, fields)) titles.set(key, title)
  }
  return titles
}

/** The most records of one request: as many as a page has, and the conditions of composite keys are limited too. */
export const batchSize = (fields: readonly string[]): number =>
  fields.length > 1 ? Math.floor(MAX_CONDITIONS / fields.length) : MAX_PAGE

const MAX_PAGE = 1000
/** A search may have 500; groups count. */
const MAX_CONDITIONS = 300

type TitleValues = Record<string, string>

/** Finds the records that these values identify, with what names them alone. Null when none can exist. */
export function titlesSearch(
  columns: readonly ColumnDescription[],
  wanted: readonly TitleValues[],
): Search | null {
  const fields = Object.keys(wanted[0] ?? {})
  const possible = wanted.filter((values) => fields.every((name) => fits(columns, name, values)))
  if (possible.length === 0 || fields.length === 0) return null
  return {
    fields: [...new Set([...fields, ...titleFields(columns)])],
    query: conditionsOf(fields, possible),
    pagination: { page: 0, size: possible.length },
    count: 'none',
  }
}

function conditionsOf(fields: readonly string[], wanted: readonly TitleValues[]): Condition[] {
  const [only = ''] = fields
  if (fields.length === 1)
    return [{ field: only, operator: 'in', value: wanted.map((values) => values[only]) }]
  const filters = wanted.map((values) => ({
    operator: 'and' as const,
    filters: fields.map((field) => ({ field, operator: 'eq', value: values[field] })),
  }))
  return [{ operator: 'or', filters }]
}

// One value that is no number would have the whole request refused.
function fits(columns: readonly ColumnDescription[], name: string, values: TitleValues): boolean {
  const column = columns.find((each) => each.name === name)
  const text = values[name]?.trim() ?? ''
  return text !== '' && (!column || !isNumberKind(column.kind) || !Number.isNaN(Number(text)))
}

/** The names of found records, by the values of `fields`; null where a record has none but these. */
export function titlesByKey(
  records: readonly EntityRecord[],
  columns: readonly ColumnDescription[],
  fields: readonly string[],
): Map<string, string | null> {
  const entries = records.map((record): [string, string | null] => {
    const values = Object.fromEntries(fields.map((name) => [name, plainText(record[name])]))
    const name = nameOf(record, columns)
    const isNew = name !== null && !Object.values(values).includes(name)
    return [keyOfValues(values), isNew ? name : null]
  })
  return new Map(entries)
}

/** The same text for the same values, whatever the order of the fields. */
export const keyOfValues = (values: TitleValues): string =>
  JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
