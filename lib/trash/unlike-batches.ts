import { type SQL, sql } from 'drizzle-orm'
import { trashBatches, trashRecords } from '@/lib/db/schema'
import { tableSql, textArray } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AFTER, BEFORE } from '@/lib/records/kept-edits'
import { rowsThatMay } from '@/lib/records/rows-that-may'
import { fieldVerdict, type WriteRule, writeVerdict } from '@/lib/records/write-rule'
import { columnList } from '@/lib/rows/record-columns'
import type { TableColumn } from '@/lib/rows/table-constraints'
import { comparedColumns } from '@/lib/search/judge-states'
import type { Rule } from '@/lib/search/rule'
import { fromSql } from '@/lib/search/sql-terms'
import { verdictSql } from '@/lib/search/verdict'

/*
 * The batches of an entity's trash with a record that a rule does not allow, as statements that stand by themselves: nodes
 * of a cluster join kept records with the records of tables, but do not look tables up for each batch.
 */

/** Whether the records of a batch have these columns, as the table has them now. */
export const columnsOf = (batch: SQL, used: readonly TableColumn[]): SQL => {
  const columns = JSON.stringify(used.map(({ name, sqlType }) => ({ name, sqlType })))
  return sql`${batch}.columns @> ${columns}::text::jsonb`
}

/**
 * Ids of deletions with a record, as it was, that the rule does not allow; of batches that `fits` lets through, and where `only`
 * is given, of that batch and those that it took along. `used`: the columns that the rule compares.
 */
export function unlikeDeletions(
  { name, table }: Pick<Entity, 'name' | 'table'>,
  rule: Rule,
  { used, fits, only }: { used: readonly TableColumn[]; fits: (batch: SQL) => SQL; only?: string },
): SQL {
  const data = picked(comparedColumns(rule))
  const columns = used.map((column) => sql`, "$state".${sql.identifier(column.name)}`)
  return sql`with "$kept" as materialized (
      select "$record".batch_id as "$batch"${sql.join(columns)} from ${keptOf(name, ['records'], only)}
      cross join lateral jsonb_populate_record(null::${tableSql(table)},
        case when ${fits(sql`"$of"`)} then ${data} end) as "$state" where ${fits(sql`"$of"`)})
    select "$batch" from ${fromSql({ table }, rule.joins, { source: sql`"$kept"` })} where (${verdictSql(rule.rows)}) is not true`
}

/**
 * Ids of edits and imports, as of deletions, with a record that the caller may not see or change now, or with a field of it; by
 * a rule of deletions those of imports with a record that they created, and that the caller may not see or delete now.
 */
export function unlikeEdits(
  rule: WriteRule,
  { fits, only }: { fits: (batch: SQL) => SQL; only?: string | undefined },
): SQL {
  const { name, table, keys } = rule.entity
  const isOfDeletion = rule.action === 'delete'
  const isClosed = isOfDeletion
    ? sql`false`
    : sql`exists (select from jsonb_object_keys("$record".data -> ${AFTER}) as "$field" where not ${isOpen(rule)})`
  const isOfPart = sql`("$record".data -> ${BEFORE} = 'null'::jsonb) = ${isOfDeletion}`
  const key = sql.join(keys.map((one) => sql`, "$state".${sql.identifier(one)}`))
  return sql`with "$kept" as materialized (
      select "$record".batch_id as "$batch"${key}, ${isClosed} as "$isClosed"
      from ${keptOf(name, isOfDeletion ? ['import'] : ['edit', 'import'], only)}
      cross join lateral jsonb_populate_record(null::${tableSql(table)},
        case when ${fits(sql`"$of"`)} then ${picked(keys)} end) as "$state" where ${fits(sql`"$of"`)} and ${isOfPart})
    select "$batch" from "$kept" left join (
      select ${columnList(keys)}, true as "$may" from ${tableSql(table)} where ${rowsThatMay(rule).where}) as "$stored"
      using (${columnList(keys)}) where "$isClosed" or "$may" is null`
}

/** The kept records as `"$record"`, of batches as `"$of"`. */
function keptOf(entity: string, kinds: readonly string[], only: string | undefined): SQL {
  const id = sql`${only}::uuid`
  const these = only ? sql` and ("$of".id = ${id} or "$of".root_id = ${id})` : sql``
  return sql`${trashRecords} as "$record" join ${trashBatches} as "$of" on "$of".id = "$record".batch_id
    and "$of".entity = ${entity}::text and "$of".kind = any(${textArray(kinds)})${these}`
}

/** The values of the columns alone: others may not fit the table as it is now. */
const picked = (columns: readonly string[]): SQL =>
  sql`(select jsonb_object_agg(key, value) from jsonb_each("$record".data) where key = any(${textArray(columns)}))`

/** Whether the field `"$field"` of an edit is one that the caller may read and change in each record. */
function isOpen(rule: WriteRule): SQL {
  const { entity } = rule
  const names = [
    ...entity.properties.map(({ name }) => name),
    ...(rule.read?.fields.keys() ?? []),
    ...(rule.stored?.fields.keys() ?? []),
  ]
  const open = names.filter(
    (name) => fieldVerdict(rule.read, entity, name) === true && writeVerdict(rule, name) === true,
  )
  const isRestOpen = (rule.read?.rest ?? true) === true && (rule.stored?.rest ?? true) === true
  return sql`("$field" = any(${textArray(open)}) or (${isRestOpen} and "$field" <> all(${textArray(names)})))`
}
