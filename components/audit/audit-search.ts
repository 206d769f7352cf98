import type { FilterField } from '@/components/data-table/filter/field'
import { type ListParams, toSearch } from '@/components/data-table/list-params'
import type { Search } from '@/lib/query/search'

/** A row of `EngineAuditLog`. */
export type AuditRow = {
  id: number
  createdAt: string
  actorType: 'user' | 'api_key' | 'system' | 'anonymous'
  actorId: string | null
  actorName: string | null
  address: string | null
  action: string
  objectType: string
  objectId: string | null
  details: Record<string, unknown> | null
  requestId: string | null
}

/** What the audit log can be filtered by. */
export const AUDIT_FIELDS: FilterField[] = [
  { name: 'action', label: 'Action', kind: 'text' },
  { name: 'actorName', label: 'By', kind: 'text' },
  {
    name: 'actorType',
    label: 'Kind of actor',
    kind: 'text',
    enum: ['user', 'api_key', 'system', 'anonymous'],
  },
  { name: 'objectType', label: 'Kind of object', kind: 'text' },
  { name: 'objectId', label: 'Object', kind: 'text' },
  { name: 'createdAt', label: 'Time', kind: 'datetime' },
  { name: 'address', label: 'Address', kind: 'text' },
  { name: 'requestId', label: 'Request', kind: 'text' },
]

const SEARCH_IN = ['action', 'actorName', 'objectType', 'objectId']
const LATEST = { field: 'id', direction: 'desc' as const }

/** The request of the audit page; what happened last comes first unless sorted otherwise. */
export function auditSearch(params: ListParams): Search {
  const sort = params.sort.length > 0 ? params.sort : [LATEST]
  return { ...toSearch(params, { searchIn: SEARCH_IN }), sort }
}
