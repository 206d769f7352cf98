import { sql } from 'drizzle-orm'
import { readAndRelease } from '@/lib/db/read-and-release'
import { type Db, rows as rowsOf } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import type { DataContext } from '@/lib/installs/points'
import { replacingDefaults } from '@/lib/rows/compiled-entity'
import {
  jsonChunks,
  type PreparedRow,
  partialEncoder,
  presenceOf,
  wholeEncoder,
  withPosition,
} from '@/lib/rows/prepared-row'
import { INDEX_COLUMN, PRESENCE_COLUMN, recordset, sameKey } from '@/lib/rows/record-columns'
import { keySql, rememberedSql, storedRelation } from '../base/record-sql'
import { differsSql, incomingFields } from '../merge/compare-sql'

/** In a dry run, the table has a part of the records alone. */
export const storedEntity = ({ originalOf, file }: DataContext, entity: Entity): Entity => ({
  ...entity,
  ...originalOf?.(file.target ?? ''),
})

/** Of rows with keys, the indexes of those whose key a record has that the plugin did not give and that is otherwise. */
export async function differingRecords(
  db: Db,
  context: DataContext,
  entity: Entity,
  rows: readonly PreparedRow[],
): Promise<Set<number>> {
  const strategy = entity.definition.updateStrategy
  const form = { strategy, presence: await presenceOf(entity, rows) }
  const encode =
    strategy === 'Replace'
      ? wholeEncoder(replacingDefaults(entity))
      : partialEncoder(form.presence.some)
  const fields = incomingFields(entity, form)
  const names = fields.map(({ property }) => property.name)
  const columns = [...entity.keys, ...names, INDEX_COLUMN, EXTRA_COLUMN, PRESENCE_COLUMN]
  const stored = storedEntity(context, entity)
  const found = new Set<number>()
  for (const { json } of jsonChunks(rows, withPosition(encode))) {
    const indexes = await readAndRelease(db, async (inner) =>
      rowsOf<{ index: number }>(
        inner,
        sql`select n.${sql.identifier(INDEX_COLUMN)} as index
          from ${recordset(entity, json, columns)}
            join ${await storedRelation(inner, stored, json)} as t on ${sameKey(entity)}
            left join ${rememberedSql(entity, context.pluginId, keySql(entity, 'n'))} on true
          where p.key is null and ${differsSql(fields, form)}`,
      ),
    )
    for (const { index } of indexes) found.add(index)
  }
  return found
}
