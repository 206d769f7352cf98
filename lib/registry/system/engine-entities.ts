import type { SearchTarget } from '@/lib/registry/target'
import { column, defined } from './fields'

export const ENGINE_ENTITIES: SearchTarget = {
  name: 'EngineEntities',
  table: { schema: 'engine', name: 'entities' },
  fields: [
    column('name', 'text'),
    defined('description', 'text'),
    column('pluginId', 'text', { nullable: true }),
    defined('engineSchema', 'text'),
    column('dbSchema', 'text', { column: 'table_schema' }),
    column('dbTable', 'text', { column: 'table_name' }),
    defined('pks', 'array', 'keys'),
    defined('insertDuplicate', 'text'),
    defined('updateStrategy', 'text'),
    defined('permissions', 'object'),
    defined('auditable', 'boolean'),
    defined('history', 'boolean'),
    defined('indexes', 'array'),
    defined('distribution', 'json'),
    column('createdAt', 'datetime'),
    column('updatedAt', 'datetime'),
  ],
  keys: ['name'],
  extraColumn: null,
  extraFields: [],
  system: true,
}
