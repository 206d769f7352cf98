import { type SQL, sql } from 'drizzle-orm'
import type { TrashBatchRow } from '@/lib/db/schema'
import { type Db, tableSql } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN, type Property } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { entitiesNamed, mergeEntity } from '@/lib/registry/registry-rows'
import { readColumns, type TableColumn } from '@/lib/rows/table-constraints'
import { jsonFits, jsonToColumn } from '@/lib/tables/cast-sql'
import { defaultSql, sqlTypeOf } from '@/lib/tables/column-spec'
import { convertColumn } from '@/lib/tables/convert-column'
import { tightenedRules } from '@/lib/tables/plan-columns'
import type { Restoration } from './find-problems'

/** A part of a deleted record that the table in its present form can't hold. */
type Misfit = {
  field: string
  when: SQL
  /** JSON of the offending value. */
  value: SQL
}

/** How deleted records become rows of the present table; `value` is over `old`. */
export type RestorePlan = { columns: { name: string; value: SQL }[]; misfits: Misfit[] }

type Batch = Pick<TrashBatchRow, 'columns'>

/**
 * Reads values in the types they had, and converts them as a change of the definition converts
 * stored values: a field declared since takes the undeclared value, a new one gets its default.
 */
function planRestore(entity: Entity, batch: Batch, columns: TableColumn[]): RestorePlan {
  const plan: RestorePlan = { columns: [], misfits: [] }
  const had = new Map(batch.columns.map((column) => [column.name, column]))
  const moved: string[] = []
  for (const column of columns) {
    if (column.name === EXTRA_COLUMN) continue
    const property = entity.properties.find(({ name }) => name === column.name)
    if (property?.rules.computed !== undefined) continue
    const before = had.get(column.name)
    if (before) addStored(plan, column, before.sqlType, property)
    else if (property && had.has(EXTRA_COLUMN)) {
      addMoved(plan, column, property)
      moved.push(column.name)
    }
  }
  const kept = new Set(columns.map(({ name }) => name))
  if (kept.has(EXTRA_COLUMN) && had.has(EXTRA_COLUMN)) addExtra(plan, entity, moved)
  for (const { name } of batch.columns) if (!kept.has(name)) addOrphan(plan, name)
  return plan
}

/** `old."name"`: the value at the time of the deletion. */
const old = (name: string): SQL => sql`old.${sql.identifier(name)}`

function addStored(
  { columns, misfits }: RestorePlan,
  { name, sqlType, notNull }: TableColumn,
  from: string,
  property: Property | undefined,
): void {
  const value = old(name)
  const shown = sql`to_jsonb(${value})`
  if (from === sqlType) {
    columns.push({ name, value: notNull ? orDefault(value, property) : value })
    return
  }
  const conversion =
    property && sqlTypeOf(property) === sqlType && convertColumn(value, from, property)
  if (!conversion) {
    misfits.push({ field: name, when: sql`${value} is not null`, value: shown })
    return
  }
  const { using, fits } = conversion
  if (fits) {
    const when = sql`${value} is not null and (${fits}) is not true`
    misfits.push({ field: name, when, value: shown })
  }
  const converted = fits ? sql`case when ${fits} then ${using} end` : using
  columns.push({ name, value: notNull ? orDefault(converted, property) : converted })
}

/** Fields that were undeclared then and are declared now. */
function addMoved(
  { columns, misfits }: RestorePlan,
  { name }: TableColumn,
  property: Property,
): void {
  const json = sql`(${old(EXTRA_COLUMN)} -> ${name}::text)`
  const fits = jsonFits(json, property)
  const isThere = sql`${json} is not null and ${json} <> 'null'::jsonb`
  misfits.push({
    field: name,
    when: sql`${isThere} and (${fits}) is not true`,
    value: json,
  })
  const converted = sql`case when ${isThere} and ${fits} then ${jsonToColumn(json, property)} end`
  columns.push({ name, value: orDefault(converted, property) })
}

function addExtra({ columns, misfits }: RestorePlan, { open }: Entity, moved: string[]): void {
  const names = sql.join(
    moved.map((name) => sql`${name}::text`),
    sql`, `,
  )
  const extra = old(EXTRA_COLUMN)
  const rest =
    moved.length > 0 ? sql`nullif(${extra} - array[${names}], '{}'::jsonb)` : sql`${extra}`
  columns.push({ name: EXTRA_COLUMN, value: rest })
  if (open) return
  const when = sql`coalesce(${rest}, '{}'::jsonb) <> '{}'::jsonb`
  misfits.push({ field: EXTRA_COLUMN, when, value: rest })
}

/** A field that the table no longer has. */
function addOrphan({ misfits }: RestorePlan, name: string): void {
  const value = old(name)
  misfits.push({
    field: name,
    when: sql`${value} is not null`,
    value: sql`to_jsonb(${value})`,
  })
}

function orDefault(value: SQL, property: Property | undefined): SQL {
  const preset = property?.rules.default
  if (!property || preset === undefined || preset === null) return value
  return sql`coalesce(${value}, ${defaultSql(property)})`
}

/**
 * How a batch becomes rows of its entity's table, which is locked until the commit. `certain`:
 * the database detects every problem of a record. Throws `conflict` when the entity is
 * no longer installed, `forbidden` when its definition forbids new records or deletions.
 */
export async function prepareRestoration(
  tx: Db,
  batch: TrashBatchRow,
): Promise<Restoration & { certain: boolean }> {
  const entity = await lockedEntity(tx, batch.entity)
  const { write, delete: remove } = entity.definition.permissions
  if (!write || !remove)
    throw new AppError(
      'forbidden',
      `The entity "${entity.name}" forbids restoring by its definition`,
    )
  const columns = await readColumns(tx, entity.table)
  const plan = planRestore(entity, batch, columns)
  const isTighter = entity.properties.some((property) => {
    const before = batch.properties.find(({ name }) => name === property.name)
    return tightenedRules(before, property).length > 0
  })
  return { entity, batch, plan, columns, certain: plan.misfits.length === 0 && !isTighter }
}

/** Locks the table before reading its definition, as changes of definitions do. Throws `conflict` when it is no longer installed. */
export async function lockedEntity(tx: Db, name: string) {
  const [known] = await entitiesNamed(tx, [name])
  if (known) {
    const table = tableSql({ schema: known.row.tableSchema, name: known.row.tableName })
    await tx.execute(sql`lock table ${table} in row exclusive mode`)
  }
  const [found] = known ? await entitiesNamed(tx, [name]) : []
  if (found) return mergeEntity(found.row, found.schema)
  throw new AppError('conflict', `The entity "${name}" is no longer installed`)
}
