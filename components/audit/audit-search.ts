import { listQuery } from '@/components/lists/list-query'

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

/** Every change, the latest first. */
export const auditQuery = listQuery('EngineAuditLog', {
  searchIn: ['action', 'actorName', 'objectType', 'objectId'],
  order: { field: 'id', direction: 'desc' },
})
