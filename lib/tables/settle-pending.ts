import { asc, eq, lt, sql } from 'drizzle-orm'
import { readCopyLine } from '@/lib/db/read-copy-line'
import { pendingPluginRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'

type Part = Pick<typeof pendingPluginRecords.$inferSelect, 'columns' | 'lines'>

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
  const { id, createdAt } = pendingPluginRecords
  const since = sql`now() - make_interval(secs => ${QUIET_SECONDS})`
  const [part] = await tx
    .select()
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
function relation({ columns, lines }: Part) {
  const texts = lines.toString().split('\n').slice(0, -1).map(readCopyLine)
  const names = columns.map((_, at) => `c${at}`)
  const typed = columns.map(
    ({ name, type }, at) => sql`r.${sql.raw(`c${at}::${type}`)} as ${sql.identifier(name)}`,
  )
  const json = JSON.stringify(
    texts.map((values) => Object.fromEntries(values.map((value, at) => [names[at], value]))),
  )
  return sql`(select ${sql.join(typed, sql`, `)} from json_to_recordset(${json}::text::json)
    as r(${sql.raw(names.map((name) => `${name} text`).join(', '))})) as t`
}
