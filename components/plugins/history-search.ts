import type { FilterField } from '@/components/data-table/filter/field'
import { type ListParams, toSearch } from '@/components/data-table/list-params'
import type { Search } from '@/lib/query/search'

/** What the history can be filtered by. */
export const HISTORY_FIELDS: FilterField[] = [
  {
    name: 'status',
    label: 'Status',
    kind: 'text',
    enum: ['IN_PROGRESS', 'SUCCESS', 'PARTIAL', 'FAILED'],
  },
  { name: 'id', label: 'Number', kind: 'integer' },
  { name: 'pluginName', label: 'Plugin', kind: 'text' },
  { name: 'pluginId', label: 'Plugin id', kind: 'text' },
  { name: 'version', label: 'Version', kind: 'text' },
  { name: 'startedAt', label: 'Started', kind: 'datetime' },
  { name: 'installedBy', label: 'By', kind: 'text' },
  { name: 'source', label: 'Archive', kind: 'text' },
  { name: 'failedCount', label: 'Failed files', kind: 'integer' },
  { name: 'recordCount', label: 'Records', kind: 'integer' },
  { name: 'durationMs', label: 'Duration in ms', kind: 'integer' },
  { name: 'sha256', label: 'SHA-256', kind: 'text' },
]

const SEARCH_IN = ['pluginName', 'source', 'installedBy']

/** The request of the history page; the latest install comes first unless sorted otherwise. */
export function historySearch(params: ListParams, pluginId?: string): Search {
  const search = toSearch(params, { searchIn: SEARCH_IN })
  const own = pluginId ? [{ field: 'pluginId', operator: 'eq', value: pluginId }] : []
  const sort = params.sort.length > 0 ? params.sort : [LATEST]
  return { ...search, sort, query: [...own, ...search.query] }
}

const LATEST = { field: 'startedAt', direction: 'desc' as const }
