import { sql } from 'drizzle-orm'
import { recordVersions } from '@/lib/db/schema'
import type { ChangeRecorder } from '@/lib/records/points'
import { relationSql } from '@/lib/totals/keep-total'

/**
 * Of an entity without a history, the last change of each record that a person made in the console is kept, in place of the one before:
 * that is a change of one record by a session.
 */
export const lastChange: ChangeRecorder = {
  name: 'last-change',
  records: ({ type }, { definition }) => type === 'user' && !definition.history,
  statements: ({ table, name }, changes) => [
    sql`delete from ${recordVersions} as v using (${changes}) as one("$id", "$before", "$after")
      where v.relation = ${relationSql(table)} and v.key_hash = hashtextextended("$id", 0) and v.key = "$id"
        and v.after is not null`,
    sql`insert into ${recordVersions} (relation, entity, key, at, kind, data, after, change_id)
      select ${relationSql(table)}, ${name}::text, "$id", clock_timestamp(), 'update', "$before", "$after",
        engine.change_id()
      from (${changes}) as one("$id", "$before", "$after")`,
  ],
}
