import { sql } from 'drizzle-orm'
import { affectedRows, type Db } from '@/lib/db/sql'
import type { ErasedPart } from '../contract'
import type { Person } from './find-person'
import { names, type Pseudonym, rewritten, withoutLabels } from './pseudonym'

/**
 * Puts the pseudonym into entries of the audit log by the person, about them or with their email; what was done, to what and when
 * stays. Who did it loses their address, too.
 */
export async function rewriteAudit(tx: Db, person: Person, as: Pseudonym): Promise<ErasedPart[]> {
  const keys = sql`(select jsonb_array_elements_text(${JSON.stringify(person.keys)}::jsonb))`
  const byThem = sql`coalesce(actor_id = ${person.id}::uuid or actor_id::text in ${keys}, false)`
  const isAbout = sql`coalesce(object_id = ${person.id} or object_id in ${keys}, false)`
  const details = rewritten(sql`details::text`, person, as)
  await tx.execute(sql`select set_config('engine.erasure', 'on', true)`)
  const changed = await affectedRows(
    tx,
    sql`update engine.audit_log set
        actor_id = case when actor_id = ${person.id}::uuid then ${as.id}::uuid else actor_id end,
        actor_name = case when ${byThem} then ${as.name} else ${rewritten(sql`actor_name`, person, as)} end,
        address = case when ${byThem} or actor_type = 'anonymous' then null else address end,
        object_id = ${rewritten(sql`object_id`, person, as)},
        details = (case when ${byThem} or ${isAbout} then ${withoutLabels(details, person.labels, as)} else ${details} end)::jsonb
      where ${byThem} or ${isAbout} or ${names(sql`concat_ws(' ', actor_name, object_id, details)`, person)}`,
  )
  await tx.execute(sql`select set_config('engine.erasure', '', true)`)
  return [{ table: 'engine.audit_log', deleted: 0, changed }]
}
