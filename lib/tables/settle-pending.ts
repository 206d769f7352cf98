import { and, asc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { databaseError } from '@/lib/db/errors'
import { pendingPluginRecords } from '@/lib/db/schema'
import { type Db, textArray } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'

type Part = Pick<typeof pendingPluginRecords.$inferSelect, 'id' | 'columns' | 'statement'>

/** What is settled: all that is pending, or what these plugins gave, or what was given to these entities. */
type Which = { pluginIds?: readonly string[]; entities?: readonly string[] }

/**
 * Moves what is in `pending_plugin_records` to `plugin_records`, a part in a transaction (a savepoint when `db` is one
 * already); waits for others that do. To be called before what plugins gave is read or changed, and before
 * tables of entities change.
 */
export async function settlePending(db: Db, { pluginIds, entities }: Which = {}): Promise<void> {
  if (entities?.length === 0) return
  const { id, pluginId, entity, error } = pendingPluginRecords
  const which = and(
    isNull(error),
    pluginIds && inArray(pluginId, [...pluginIds]),
    entities && isOneOf(entity, entities),
  )
  const any = db.select({ id }).from(pendingPluginRecords).where(which).limit(1)
  if ((await any).length > 0) while (await db.transaction((tx) => settleNext(tx, which)));
}

/** In any spelling, as files name entities. */
const isOneOf = (entity: typeof pendingPluginRecords.entity, names: readonly string[]): SQL =>
  sql`lower(${entity}) in (select lower(n) from unnest(${textArray(names)}) as n)`

/** Before, another install, a rollback or an uninstall may follow and need the time of the database. */
const QUIET_SECONDS = 10

/** Does the same with what has been pending for a while. Run periodically, on any instance. */
export async function settleQuiet({ db }: Pick<Deps, 'db'>): Promise<void> {
  const { createdAt, error } = pendingPluginRecords
  const since = sql`now() - make_interval(secs => ${QUIET_SECONDS})`
  const which = and(isNull(error), lt(createdAt, since))
  while (await db.transaction((tx) => settleNext(tx, which, { isQuiet: true })));
}

/** False when there is no such part. */
async function settleNext(
  tx: Db,
  which: SQL | undefined,
  { isQuiet = false } = {},
): Promise<boolean> {
  const { id, columns, statement } = pendingPluginRecords
  const [part] = await tx
    .select({ id, columns, statement })
    .from(pendingPluginRecords)
    .where(which)
    .orderBy(asc(id))
    .limit(1)
    .for('update', isQuiet ? { skipLocked: true } : {})
  if (part) await settle(tx, part)
  return part !== undefined
}

/** A part that the database refuses must not stand in the way of all others. */
async function settle(tx: Db, part: Part): Promise<void> {
  const isPart = eq(pendingPluginRecords.id, part.id)
  try {
    // Where another file gave the record meanwhile, what that gave counts.
    await tx.transaction((inner) =>
      inner.execute(sql`${sql.raw(part.statement)} from ${relation(part)} on conflict do nothing`),
    )
    await tx.delete(pendingPluginRecords).where(isPart)
  } catch (error) {
    const refusal = databaseError(error)
    if (!refusal?.code || PASSING.test(refusal.code)) throw error
    await tx.update(pendingPluginRecords).set({ error: refusal.message }).where(isPart)
  }
}

/** Connections, transactions, locks, space and interruptions: errors that the next attempt need not have. */
const PASSING = /^(08|25|40|53|55|57|58)/

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
