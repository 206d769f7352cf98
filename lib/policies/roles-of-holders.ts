import { and, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { apiKeys, trashRecords, users } from '@/lib/db/schema'
import { affectedRows, type Db, foldedRole, one, rows } from '@/lib/db/sql'

/** Who has roles: users, and keys that have roles of their own. */
const HOLDERS = {
  user: { table: users, name: sql`email` },
  key: { table: apiKeys, name: sql`name` },
} as const

/** How many have a role. */
export type Holders = { users: number; keys: number }

export const countHolders = async (tx: Db, role: string): Promise<Holders> => ({
  users: await tx.$count(users, hasRole(sql`${users.roles}`, role)),
  keys: await tx.$count(
    apiKeys,
    and(isNull(apiKeys.revokedAt), hasRole(sql`${apiKeys.roles}`, role)),
  ),
})

/**
 * Takes a role from everybody who has it, or gives them another one for it, and keeps what they had in the batch of the
 * trash. Returns their number.
 */
export async function takeRole(
  tx: Db,
  batchId: string,
  role: string,
  replacement: string | null,
): Promise<number> {
  let count = 0
  for (const [kind, { table, name }] of Object.entries(HOLDERS))
    count += await affectedRows(
      tx,
      sql`with found as (
          select id, ${name} as name, roles as before, ${withoutRole(role, replacement)} as after
          from ${table} where ${hasRole(sql`roles`, role)} for update
        ), changed as (
          update ${table} as h set roles = f.after from found f where h.id = f.id
          returning f.id, f.name, f.before, f.after
        )
        insert into ${trashRecords} (batch_id, data) select ${batchId}::uuid, jsonb_build_object('kind', ${kind}::text,
          'id', id, 'name', name, 'before', jsonb_build_object('roles', before), 'after', jsonb_build_object('roles', after))
        from changed`,
    )
  return count
}

/** Whether a list of roles has one of this name. */
export const hasRole = (roles: SQLWrapper, role: string): SQL =>
  sql`exists (select from unnest(${roles}) held where ${foldedRole(sql`held`)} = ${foldedRole(role)})`

/** The column `roles` without a role, or with another one in its place, each once. */
const withoutRole = (role: string, replacement: string | null): SQL =>
  sql`array(select name from (
      select distinct on (${foldedRole(sql`name`)}) name, place from (
        select case when ${foldedRole(sql`held`)} = ${foldedRole(role)} then ${replacement}::text else held end as name, place
        from unnest(roles) with ordinality as t(held, place)
      ) as replaced where name is not null order by ${foldedRole(sql`name`)}, place
    ) as kept order by place)`

/** What giving the roles of a batch back concerns: the number of users, and the roles that are taken away for it. */
export const readHolders = async (tx: Db, batchId: string) =>
  one(
    await rows<{ users: number; taken: string[] }>(
      tx,
      sql`select count(distinct t.id) filter (where t.data ->> 'kind' = 'user')::int as users,
          coalesce(jsonb_agg(distinct role) filter (where not t.data -> 'before' -> 'roles' @> to_jsonb(role)), '[]') as taken
        from ${trashRecords} as t left join jsonb_array_elements_text(t.data -> 'after' -> 'roles') as role on true
        where t.batch_id = ${batchId}::uuid and t.data ->> 'kind' in ('user', 'key')`,
    ),
  )

/** Gives everybody of a batch the roles back that they had, unless theirs were changed since. */
export async function restoreRoles(tx: Db, batchId: string): Promise<void> {
  for (const [kind, { table }] of Object.entries(HOLDERS)) {
    const own = sql`t.batch_id = ${batchId}::uuid and t.data ->> 'kind' = ${kind}::text`
    await tx.execute(
      sql`update ${trashRecords} as t set problem = case when h.id is null
          then '{"reason":"record-gone","fields":[],"value":null}'::jsonb
          else jsonb_build_object('reason', 'changed-since', 'fields', '["roles"]'::jsonb, 'value', to_jsonb(h.roles)) end
        from ${trashRecords} as o left join ${table} as h on h.id = (o.data ->> 'id')::uuid
        where ${own} and o.batch_id = t.batch_id and o.id = t.id
          and to_jsonb(h.roles) is distinct from t.data -> 'after' -> 'roles'`,
    )
    await tx.execute(
      sql`update ${table} as h set roles = array(select jsonb_array_elements_text(t.data -> 'before' -> 'roles'))
        from ${trashRecords} as t where ${own} and t.problem is null and h.id = (t.data ->> 'id')::uuid`,
    )
  }
}
