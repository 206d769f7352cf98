import type { SearchTarget } from '@/lib/registry/target'
import { column, uuid } from './fields'

export const ENGINE_AUDIT_LOG: SearchTarget = {
  name: 'EngineAuditLog',
  table: { schema: 'engine', name: 'audit_log' },
  fields: [
    column('id', 'integer'),
    column('createdAt', 'datetime'),
    column('actorType', 'text'),
    uuid('actorId', { nullable: true }),
    column('actorName', 'text', { nullable: true }),
    column('address', 'text', { nullable: true }),
    column('action', 'text'),
    column('objectType', 'text'),
    column('objectId', 'text', { nullable: true }),
    column('details', 'object'),
    column('requestId', 'text', { nullable: true }),
    column('changeId', 'integer', { nullable: true }),
  ],
  keys: ['id'],
  extraColumn: null,
  extraFields: [],
  system: true,
}
