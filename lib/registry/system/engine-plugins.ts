import type { SearchTarget } from '@/lib/registry/target'
import { column } from './fields'

export const ENGINE_PLUGINS: SearchTarget = {
  name: 'EnginePlugins',
  table: { schema: 'engine', name: 'plugins' },
  fields: [
    column('id', 'text'),
    column('name', 'text'),
    column('version', 'text', { nullable: true }),
    column('description', 'text', { nullable: true }),
    column('author', 'text', { nullable: true }),
    column('license', 'text', { nullable: true }),
    // A data URI of any size, returned only when it is asked for.
    column('image', 'text', { nullable: true, hidden: true }),
    column('manifest', 'object', { hidden: true }),
    column('lastHistoryId', 'integer', { nullable: true }),
    column('createdAt', 'datetime'),
    column('updatedAt', 'datetime'),
  ],
  keys: ['id'],
  extraColumn: null,
  extraFields: [],
  system: true,
}
