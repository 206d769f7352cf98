import { sql } from 'drizzle-orm'
import { turnGiver } from '@/lib/async/turns'
import { rows as rowsOf } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Property } from '@/lib/definitions/definition'
import { valueFault } from '@/lib/definitions/value-fault'
import { tightenedRules } from '@/lib/tables/plan-columns'
import type { Restoration } from './find-problems'
import { noteProblems, problemSql, restoredRows } from './restored-rows'

const BATCH_SIZE = 5_000

/** Checks patterns and formats added after the deletion, in batches: the database has no safe matching. */
export async function findTextProblems(tx: Db, restoration: Restoration): Promise<void> {
  const { entity, batch, plan } = restoration
  for (const property of entity.properties) {
    const before = batch.properties.find(({ name }) => name === property.name)
    const rules = tightenedRules(before, property)
    const isFilled = plan.columns.some(({ name }) => name === property.name)
    if (isFilled && (rules.includes('pattern') || rules.includes('format')))
      await findIn(tx, restoration, property)
  }
}

type Text = { id: string; value: string }

async function findIn(tx: Db, { batch, plan }: Restoration, property: Property): Promise<void> {
  const column = sql`n.${sql.identifier(property.name)}`
  const giveTurn = turnGiver()
  for (let after = '0', size = BATCH_SIZE; size === BATCH_SIZE; ) {
    const texts = await rowsOf<Text>(
      tx,
      sql`select n."$id"::text as id, ${column} as value from (${restoredRows(batch, plan)}) as n
          where n."$id" > ${after}::bigint and ${column} is not null order by n."$id" limit ${sql.raw(String(BATCH_SIZE))}`,
    )
    const wrong: Text[] = []
    for (const text of texts) {
      if (valueFault(property, text.value) !== null) wrong.push(text)
      await giveTurn()
    }
    if (wrong.length > 0) {
      const problem = problemSql('does-not-fit', [property.name], sql`to_jsonb(w.value)`)
      const found = sql`select w.id as "$id", ${problem} as problem
        from json_to_recordset(${JSON.stringify(wrong)}::text::json) as w(id bigint, value text)`
      await noteProblems(tx, batch.id, found)
    }
    size = texts.length
    after = texts.at(-1)?.id ?? after
  }
}
