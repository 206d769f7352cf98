import { eq, type SQL, sql } from 'drizzle-orm'
import {
  entities,
  pendingPluginRecords,
  pluginRecords,
  type RemovedPlugins,
  trashBatches,
} from '@/lib/db/schema'
import { type Db, one, rows, textArray } from '@/lib/db/sql'
import { settlePending } from './settle-pending'

/*
 * What is remembered of the records of an uninstalled entity stays under its name until that is taken
 * again. Only then is it put aside, under a name that its batch in the trash knows.
 */

/** No entity has such a name. */
const asideName = (name: string, batchId: string) => `${name}@${batchId}`

const namesOf = (removed: RemovedPlugins) => removed.entities.map(({ name }) => String(name))

/** The batch that an entity of this name went into last: what is remembered by that name is of its records. */
const lastBatchOf = (name: SQL): SQL =>
  sql`(select b.id from ${trashBatches} as b where b.kind = 'plugin'
    and b.removed -> 'entities' @> jsonb_build_array(jsonb_build_object('name', ${name}))
    order by b.deleted_at desc, b.id desc limit 1)`

/** Puts aside what is remembered of an entity in the trash, before another entity takes its name. */
export async function putRecordsAside(tx: Db, name: string): Promise<void> {
  if (!(await isRemembered(tx, name, { orPending: true }))) return
  await settlePending(tx, { entities: [name] })
  const batchId = await findLastBatch(tx, name)
  if (batchId === null) return
  const aside = asideName(name, batchId)
  // Then they are of an entity that came later, and is gone for good.
  if (await isRemembered(tx, aside))
    await tx.delete(pluginRecords).where(eq(pluginRecords.entity, name))
  else await rename(tx, name, aside)
}

/** Remembers by their names again what is remembered of the entities in a batch, which come back. */
export async function recallRecords(
  tx: Db,
  batchId: string,
  removed: RemovedPlugins,
): Promise<void> {
  for (const name of namesOf(removed)) {
    const aside = asideName(name, batchId)
    const isAside = await isRemembered(tx, aside)
    const lastId = await findLastBatch(tx, name)
    if (!isAside && lastId === batchId) continue
    await putRecordsAside(tx, name)
    if (isAside) await rename(tx, aside, name)
    // It was forgotten when the name was taken again: what came after it is closest.
    else if (!removed.remembers && lastId) await copy(tx, asideName(name, lastId), name)
  }
}

/** Forgets the records of the entities in a batch, which is deleted for good. */
export async function forgetRecords(
  tx: Db,
  batchId: string,
  removed: RemovedPlugins,
): Promise<void> {
  const names = namesOf(removed)
  await settlePending(tx, { entities: names })
  const aside = textArray(names.map((name) => asideName(name, batchId)))
  const own = sql`select n from unnest(${textArray(names)}) as n where ${lastBatchOf(sql`n`)} = ${batchId}::uuid
    and not exists (select from ${entities} as e where e.name = n)`
  // What was refused when it was settled.
  await tx.execute(
    sql`delete from ${pendingPluginRecords} as p where p.entity = any(array(${own}))`,
  )
  // In one statement, so that it also finds what is put aside while it waits.
  await tx.execute(
    sql`delete from ${pluginRecords} as p where p.entity = any(${aside}) or p.entity = any(array(${own}))`,
  )
}

const rename = (tx: Db, from: string, to: string) =>
  tx.update(pluginRecords).set({ entity: to }).where(eq(pluginRecords.entity, from))

const copy = (tx: Db, from: string, to: string) =>
  tx.execute(sql`insert into ${pluginRecords} select r.* from ${pluginRecords} as p
    cross join lateral jsonb_populate_record(p, jsonb_build_object('entity', ${to}::text)) as r where p.entity = ${from}::text`)

async function isRemembered(tx: Db, name: string, { orPending = false } = {}): Promise<boolean> {
  const pending = sql`exists (select from ${pendingPluginRecords} as p where lower(p.entity) = lower(${name}::text))`
  const also = orPending ? sql`or ${pending}` : sql``
  const query = sql`select exists (select from ${pluginRecords} as p where p.entity = ${name}::text) ${also} as found`
  return one(await rows<{ found: boolean }>(tx, query)).found
}

async function findLastBatch(tx: Db, name: string): Promise<string | null> {
  const query = sql`select ${lastBatchOf(sql`${name}::text`)} as id`
  return one(await rows<{ id: string | null }>(tx, query)).id
}
