import { type SQL, sql } from 'drizzle-orm'

/** What an export of a person has: a name in it, and rows with a number by which they are read in order. Never secrets. */
export type StoredPart = { name: string; rows: (id: string) => SQL }

const part = (name: string, rows: StoredPart['rows']): StoredPart => ({ name, rows })

/** By the rows of their own, in any order. */
const owned = (name: string, table: string, columns: string, owner = 'user_id'): StoredPart =>
  part(
    name,
    (
      id,
    ) => sql`select row_number() over (order by to_jsonb(r.*)::text) as n, to_jsonb(r.*) as row from (
      select ${sql.raw(columns)} from engine.${sql.identifier(table)} where ${sql.identifier(owner)} = ${id}::uuid) as r`,
  )

const keysOf = (id: string) => sql`(select id from engine.api_keys where owner_id = ${id}::uuid)`
const didIt = (id: string) => sql`(actor_id = ${id}::uuid or actor_id in ${keysOf(id)})`

export const STORED_PARTS: readonly StoredPart[] = [
  owned(
    'account',
    'users',
    'id, email, roles, profile, status, must_change_password, activated_at, last_sign_in_at, created_at, updated_at',
    'id',
  ),
  owned(
    'identities',
    'external_identities',
    'provider, issuer, subject, email, created_at, last_used_at',
  ),
  owned('identityProvider', 'scim_users', 'external_id, attributes, created_at, updated_at'),
  part(
    'groups',
    (id) => sql`select row_number() over () as n, to_jsonb(g.display_name) as row
      from engine.scim_groups as g join engine.scim_members as m on m.group_id = g.id where m.user_id = ${id}::uuid`,
  ),
  owned('sessions', 'sessions', 'user_agent, address, signed_in_by, created_at, last_seen_at'),
  owned('authenticatorApps', 'totp_factors', 'created_at, last_used_at'),
  owned('passkeys', 'passkeys', 'name, backed_up, transports, created_at, last_used_at'),
  owned(
    'keys',
    'api_keys',
    'name, prefix, scopes, created_at, expires_at, revoked_at, last_used_at',
    'owner_id',
  ),
  owned(
    'views',
    'saved_views',
    'entity, name, shared, role, params, created_at, updated_at',
    'owner_id',
  ),
  owned(
    'exports',
    'exports',
    'entity, format, body, status, total_rows, created_at, completed_at, expires_at',
    'owner_id',
  ),
  owned(
    'imports',
    'imports',
    'entity, file_name, mode, status, created, updated, refused, created_at, completed_at',
    'owner_id',
  ),
  owned('webhooks', 'webhooks', 'name, url, entities, actions, created_at', 'owner_id'),
  owned('mails', 'mails', '"to", subject, template, status, created_at, sent_at'),
  part(
    'comments',
    (id) => sql`select number as n, to_jsonb(r.*) as row from (
      select number, relation::text as "table", key, text, created_at, edited_at from engine.record_comments
      where author_id = ${id}::uuid or author_key_id in ${keysOf(id)}) as r`,
  ),
  part(
    'audit',
    (id) => sql`select id as n, to_jsonb(r.*) as row from (
      select id, created_at, actor_type, actor_name, address, action, object_type, object_id, details, request_id
      from engine.audit_log where ${didIt(id)} or object_id = ${id}) as r`,
  ),
  part(
    'history',
    (id) => sql`select id as n, to_jsonb(r.*) as row from (
      select id, entity, key, at, kind from engine.record_versions where change_id in (
        select change_id from engine.audit_log where change_id is not null and ${didIt(id)})) as r`,
  ),
]
