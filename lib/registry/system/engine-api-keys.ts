import type { SearchTarget } from '@/lib/registry/target'
import { column, textList, uuid } from './fields'

/** API keys with their visible prefix; without key or hash. */
export const ENGINE_API_KEYS: SearchTarget = {
  name: 'EngineApiKeys',
  table: { schema: 'engine', name: 'api_keys' },
  fields: [
    uuid('id'),
    column('name', 'text'),
    column('prefix', 'text'),
    textList('scopes', { nullable: true }),
    textList('roles', { nullable: true }),
    column('status', 'text', {
      expression: `case when "revoked_at" is not null then 'REVOKED' when "expires_at" <= now() then 'EXPIRED' else 'ACTIVE' end`,
    }),
    uuid('ownerId', { nullable: true }),
    column('owner', 'text', {
      column: 'owner_id',
      nullable: true,
      expression: `(select u."email" from "engine"."users" u where u."id" = "owner_id")`,
    }),
    column('expiresAt', 'datetime', { nullable: true }),
    column('revokedAt', 'datetime', { nullable: true }),
    column('lastUsedAt', 'datetime', { nullable: true }),
    column('createdAt', 'datetime'),
  ],
  keys: ['id'],
  extraColumn: null,
  extraFields: [],
  system: true,
}
