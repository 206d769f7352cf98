import type { SearchTarget } from '@/lib/registry/target'
import { column, defined } from './fields'

export const ENGINE_SCHEMAS: SearchTarget = {
  name: 'EngineSchemas',
  table: { schema: 'engine', name: 'schemas' },
  fields: [
    column('name', 'text'),
    defined('label', 'text'),
    defined('description', 'text'),
    column('pluginId', 'text', { nullable: true }),
    defined('additionalProperties', 'boolean'),
    defined('properties', 'array'),
    column('createdAt', 'datetime'),
    column('updatedAt', 'datetime'),
  ],
  keys: ['name'],
  extraColumn: null,
  extraFields: [],
  system: true,
}
