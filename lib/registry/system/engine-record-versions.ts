import type { SearchTarget } from '@/lib/registry/target'
import { column } from './fields'

/** `changeId` is that of the entry of `EngineAuditLog` that says who did it. */
export const ENGINE_RECORD_VERSIONS: SearchTarget = {
  name: 'EngineRecordVersions',
  table: { schema: 'engine', name: 'record_versions' },
  fields: [
    column('id', 'integer'),
    column('at', 'datetime'),
    column('entity', 'text'),
    column('key', 'text'),
    column('kind', 'text'),
    column('before', 'object', { column: 'data', nullable: true }),
    column('after', 'object', { nullable: true }),
    column('changeId', 'integer', { nullable: true }),
    column('installId', 'integer', { nullable: true }),
  ],
  keys: ['id'],
  extraColumn: null,
  extraFields: [],
  system: true,
}
