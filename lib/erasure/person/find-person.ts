import { sql } from 'drizzle-orm'
import type { UserRow } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { findUser } from '@/lib/users/store'
import { isUuid } from '@/lib/values/uuid'

/** An account, or what is left of one that was deleted. */
export type Person = {
  id: string
  account: UserRow | null
  /** Emails by which the server knows or knew them, as they were written; none that another account has. */
  emails: string[]
  /** Their keys, also those that were deleted with the account. */
  keys: string[]
  /** Names that no other actor has or had: where the name of a key stands alone, it is theirs. */
  keyNames: string[]
  /** What they named: keys, passkeys, views, files. */
  labels: string[]
}

/** Everything by which tables may name a person. Throws `not_found` where nothing has them. */
export async function findPerson(tx: Db, id: string): Promise<Person> {
  const account = await findUser(tx, id)
  const found = isUuid(id) ? one(await rows<Traces>(tx, names(id))) : null
  if (!found || (!account && !found.isKnown))
    throw new AppError('not_found', 'Nothing is stored of a user with this id')
  const { isKnown, ...named } = found
  return { id, account, ...named }
}

type Traces = Omit<Person, 'id' | 'account'> & { isKnown: boolean }

const list = (query: ReturnType<typeof sql>) =>
  sql`coalesce((select json_agg(distinct name) from (${query}) as names(name) where name <> ''), '[]')`

/** Ids of other things look alike, and records of an entity that is called so, too. */
const isAbout = (id: string) =>
  sql`(a.object_type = 'user' and a.object_id = ${id} and a.action not like 'records.%')`

/** By the account's own rows, and by the audit log, which outlives them. */
const names = (id: string) => sql`with made as materialized (
    select a.object_id, a.details from engine.audit_log as a
    where a.actor_type = 'user' and a.actor_id = ${id}::uuid and a.object_type = 'api_key' and a.action = 'api-keys.create'
      and not exists (select from engine.api_keys as k where k.id::text = a.object_id)
  ), keys as materialized (
    select id::text, name from engine.api_keys where owner_id = ${id}::uuid
    union select object_id, details -> 'after' ->> 'name' from made
  ), entries as materialized (
    select a.* from engine.audit_log as a
    where a.actor_type = 'user' and a.actor_id = ${id}::uuid or ${isAbout(id)} or a.actor_id::text in (select id from keys)
  )
  select ${list(sql`
    select e.name from (
      select email from engine.users where id = ${id}::uuid
      union select email from engine.external_identities where user_id = ${id}::uuid
      union select "to" from engine.mails where user_id = ${id}::uuid
      union select actor_name from entries where actor_type = 'user' and actor_id = ${id}::uuid
      union select unnest(array[details ->> 'email', details -> 'before' ->> 'email', details -> 'after' ->> 'email'])
        from entries as a where ${isAbout(id)}
    ) as e(name)
    where e.name like '%@%'
      and not exists (select from engine.users as u where lower(u.email) = lower(e.name) and u.id <> ${id}::uuid)`)} as emails,
    ${list(sql`select id from keys`)} as keys,
    ${list(sql`select name from keys where not exists (
        select from engine.api_keys as o where o.name = keys.name and o.owner_id is distinct from ${id}::uuid)
      and not exists (select from engine.users as u where lower(u.email) = lower(keys.name))
      and not exists (select from engine.audit_log as a where a.actor_name = keys.name and a.actor_id is distinct from ${id}::uuid
        and coalesce(a.actor_id::text, '') not in (select id from keys))`)} as "keyNames",
    ${list(sql`select name from keys
      union select name from engine.passkeys where user_id = ${id}::uuid
      union select file_name from engine.imports where owner_id = ${id}::uuid
      union select details ->> 'file' from entries where details ? 'import'
      union select name from engine.saved_views where owner_id = ${id}::uuid
      union select unnest(array[details ->> 'name', details -> 'before' ->> 'name', details -> 'after' ->> 'name'])
        from entries where object_type in ('user', 'view')`)} as labels,
    exists (select from entries) as "isKnown"`
