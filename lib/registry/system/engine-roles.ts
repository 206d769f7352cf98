import type { SearchTarget } from '@/lib/registry/target'
import { column, defined } from './fields'

/** Roles described by plugins; other roles may be assigned too. */
export const ENGINE_ROLES: SearchTarget = {
  name: 'EngineRoles',
  table: { schema: 'engine', name: 'roles' },
  fields: [
    column('name', 'text'),
    defined('label', 'text'),
    defined('description', 'text'),
    column('pluginId', 'text', { nullable: true }),
    column('createdAt', 'datetime'),
    column('updatedAt', 'datetime'),
  ],
  keys: ['name'],
  extraColumn: null,
  extraFields: [],
  system: true,
}
