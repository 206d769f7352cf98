import { sql } from 'drizzle-orm'
import { subjectHash } from '@/lib/auth/rate-limit'
import { affectedRows, type Db, one, rows } from '@/lib/db/sql'
import { deleteUser } from '@/lib/users/store'
import type { ErasedPart } from '../contract'
import type { Person } from './find-person'

type Owned = { table: string; column: string }

/** The columns of tables whose rows go with an account, by the foreign keys that the database has. */
const ownedTables = (db: Db): Promise<Owned[]> =>
  rows<Owned>(
    db,
    sql`select c.conrelid::regclass::text as table, a.attname as column
      from pg_constraint as c join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'engine.users'::regclass and c.confdeltype = 'c' order by 1`,
  )

/** Deletes the account with all that goes with it: credentials, sessions, second factors, identities, keys, views, exports, imports. */
export async function deleteAccount(tx: Db, { id, account }: Person): Promise<ErasedPart[]> {
  if (!account) return []
  const parts: ErasedPart[] = []
  for (const { table, column } of await ownedTables(tx)) {
    const count = sql`select count(*)::int as total from ${sql.raw(table)} where ${sql.identifier(column)} = ${id}::uuid`
    const { total } = one(await rows<{ total: number }>(tx, count))
    parts.push({ table, deleted: total, changed: 0 })
  }
  await deleteUser(tx, id)
  return [...parts, { table: 'engine.users', deleted: 1, changed: 0 }]
}

const deleted = async (
  tx: Db,
  table: string,
  where: ReturnType<typeof sql>,
): Promise<ErasedPart> => ({
  table: `engine.${table}`,
  deleted: await affectedRows(tx, sql`delete from engine.${sql.identifier(table)} where ${where}`),
  changed: 0,
})

const among = (values: readonly string[]) =>
  sql`(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`

/** Deletes mails to the person, answers that were kept for them, and prepared exports of others that show accounts or who signed records. */
export async function deleteTraces(tx: Db, person: Person): Promise<ErasedPart[]> {
  const { id, keys, emails } = person
  const small = among(emails.map((email) => email.toLowerCase()))
  return [
    await deleted(tx, 'mails', sql`user_id = ${id}::uuid or lower("to") in ${small}`),
    await deleted(tx, 'idempotency_keys', sql`owner_id in ${among([id, ...keys])}`),
    await deleted(tx, 'exports', SHOWS_PEOPLE),
    await deleted(
      tx,
      'rate_limits',
      sql`split_part(key, ':', 2) in ${among(emails.map(subjectHash))}`,
    ),
  ]
}

const SHOWS_PEOPLE = sql`entity ilike 'engine%' or body ~ '[.](CreatedBy|LastUpdatedBy)"' or exists (
  select from engine.entities as e where e.name = entity and e.definition ->> 'auditable' = 'true')`
