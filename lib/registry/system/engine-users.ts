import type { SearchTarget } from '@/lib/registry/target'
import { column, textList, uuid } from './fields'

/** Users without their credentials. */
export const ENGINE_USERS: SearchTarget = {
  name: 'EngineUsers',
  table: { schema: 'engine', name: 'users' },
  fields: [
    uuid('userId', { column: 'id' }),
    column('email', 'text'),
    textList('roles'),
    column('profile', 'object'),
    column('status', 'text'),
    column('mustChangePassword', 'boolean'),
    column('activatedAt', 'datetime', { nullable: true }),
    column('lastSignInAt', 'datetime', { nullable: true }),
    column('createdAt', 'datetime'),
    column('updatedAt', 'datetime'),
  ],
  keys: ['userId'],
  extraColumn: null,
  extraFields: [],
  system: true,
}
