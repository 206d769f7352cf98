import type { SearchTarget } from '@/lib/registry/target'
import { column, defined } from './fields'

/** The policies of plugins, and those that were made here. */
export const ENGINE_POLICIES: SearchTarget = {
  name: 'EnginePolicies',
  table: { schema: 'engine', name: 'policies' },
  fields: [
    column('name', 'text'),
    defined('description', 'text'),
    defined('principals', 'array'),
    defined('entities', 'array'),
    defined('actions', 'array'),
    column('allow', 'boolean'),
    column('priority', 'integer'),
    column('pluginId', 'text', { nullable: true }),
    column('invalid', 'text', { nullable: true }),
    column('createdAt', 'datetime'),
    column('updatedAt', 'datetime'),
  ],
  keys: ['name'],
  extraColumn: null,
  extraFields: [],
  system: true,
}
