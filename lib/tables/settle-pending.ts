import { asc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { pendingPluginRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'

type Part = Pick<typeof pendingPluginRecords.$inferSelect, 'id' | 'columns'>

/**
 * Moves what is in `pending_plugin_records` to `plugin_records`, a part in a transaction (a savepoint when `db` is one
 * already); waits for others that do. To be called before what plugins gave is read or changed, and before
 * tables of entities change.
 */
export async function settlePending(db: Db): Promise<void> {
  const any = db.select({ id: pendingPluginRecords.id }).from(pendingPluginRecords).limit(1)
  if ((await any).length > 0) while (await db.transaction((tx) => settleNext(tx, {})));
}

/** Before, another install, a rollback or an uninstall may follow and need the time of the database. */
const QUIET_SECONDS = 10

/** Does the same with what has been pending for a while. Run periodically, on any instance. */
export async function settleQuiet({ db }: Pick<Deps, 'db'>): Promise<void> {
  const quiet = { isQuiet: true }
  while (await db.transaction((tx) => settleNext(tx, quiet)));
}

/** False when there is no part, or with `isQuiet` none that has been pending for a while and is free. */
async function settleNext(tx: Db, { isQuiet = false }): Promise<boolean> {
  const { id, columns, statement, createdAt } = pendingPluginRecords
  const since = sql`now() - make_interval(secs => ${QUIET_SECONDS})`
  const [part] = await tx
    .select({ id, columns, statement })
    .from(pendingPluginRecords)
    .where(isQuiet ? lt(createdAt, since) : undefined)
    .orderBy(asc(id))
    .limit(1)
    .for('update', isQuiet ? { skipLocked: true } : {})
  if (!part) return false
  // Where another file gave the record meanwhile, what that gave counts.
  await tx.execute(sql`${sql.raw(part.statement)} from ${relation(part)} on conflict do nothing`)
  await tx.delete(pendingPluginRecords).where(eq(id, part.id))
  return true
}

/** The records of a part as the relation `t`. */
function relation({ id, columns }: Part): SQL {
  const values = columns.map(
    ({ name, type }, at) =>
      sql`${typedValue(sql.raw(`v[${at + 1}]`), type)} as ${sql.identifier(name)}`,
  )
  return sql`(select ${sql.join(values, sql`, `)} from (
      select string_to_array(line, E'\\t', '\\N') as v from ${pendingPluginRecords} as p
        cross join unnest(string_to_array(convert_from(p.lines, 'UTF8'), E'\\n')) as line
      where p.id = ${id} and line <> '' offset 0
    ) as r) as t`
}

/** A value of a line, which `copyFormat` wrote: of special characters, it escapes these four. */
function typedValue(text: SQL, type: string): SQL {
  if (type !== 'text' && type !== 'jsonb') return sql`${text}::${sql.raw(type)}`
  // Between escaped backslashes, each other one begins another escape.
  return sql`(case when coalesce(position('\\' in ${text}), 0) = 0 then ${text} else (
      select string_agg(replace(replace(replace(piece, '\\t', E'\\t'), '\\n', E'\\n'), '\\r', E'\\r'), '\\' order by at)
      from unnest(string_to_array(${text}, '\\\\')) with ordinality as u(piece, at)
    ) end)::${sql.raw(type)}`
}
