import type { FilterField } from '@/components/data-table/filter/field'
import { type ListParams, toSearch } from '@/components/data-table/list-params'
import type { ApiKeyStatus } from '@/lib/api-keys/contract'
import type { Search } from '@/lib/query/search'

export const STATUSES: readonly ApiKeyStatus[] = ['ACTIVE', 'EXPIRED', 'REVOKED']

/** What the list of keys can be filtered by. */
export const KEY_FIELDS: FilterField[] = [
  { name: 'status', label: 'Status', kind: 'text', enum: [...STATUSES] },
  { name: 'name', label: 'Name', kind: 'text' },
  { name: 'prefix', label: 'Beginning', kind: 'text' },
  { name: 'lastUsedAt', label: 'Last used', kind: 'datetime' },
  { name: 'expiresAt', label: 'Expires', kind: 'datetime' },
  { name: 'createdAt', label: 'Created', kind: 'datetime' },
]

const LATEST = { field: 'createdAt', direction: 'desc' as const }

/** The request of the API keys page; the latest key comes first unless sorted otherwise. */
export function keysSearch(params: ListParams): Search {
  const sort = params.sort.length > 0 ? params.sort : [LATEST]
  return { ...toSearch(params, { searchIn: ['name', 'prefix'] }), sort }
}
