import { isDeepStrictEqual } from 'node:util'
import { fieldsOf, parseExpression } from '@/lib/definitions/computed-expression'
import {
  type Entity,
  EXTRA_COLUMN,
  type Property,
  type StoredColumn,
} from '@/lib/definitions/definition'
import { originalSchema } from '@/lib/definitions/names'
import { LOGS, logKey } from '@/lib/versions/keep-log'
import { columnOf, type StoredTable, sqlTypeOf } from './column-spec'
import type { DdlStep } from './ddl-step'
import { planColumns } from './plan-columns'
import { tableIndexes } from './table-indexes'

/**
 * The steps that make the table fit `after`, in order; none when it does. Data is never dropped: a
 * removed property keeps its column. Steps that stored values may contradict are refused when they
 * are carried out, before anything is changed.
 */
export function planTable(before: StoredTable | null, after: Entity): DdlStep[] {
  if (!before) return createTable(after)
  const recreation = whyRecreate(before.entity, after)
  if (recreation) return recreateTable(before.entity, after, recreation)
  const table = after.table
  const computed = planComputed(before, after)
  const had = tableIndexes(before.entity).filter(
    ({ parts }) => !parts.some(({ column }) => computed.dropped.has(column)),
  )
  const wanted = tableIndexes(after)
  const removed = had.filter(({ name }) => !wanted.some((index) => index.name === name))
  const added = wanted.filter(({ name }) => !had.some((index) => index.name === name))
  const { prepare, finish } = planColumns(before, after)
  const closing = before.entity.open && !after.open
  return [
    ...removed.map((index): DdlStep => ({ type: 'drop-index', table, index })),
    ...computed.prepare,
    ...prepare,
    ...computed.finish,
    ...finish,
    ...(closing ? [{ type: 'check-no-extra', table } as const] : []),
    ...added.map((index): DdlStep => ({ type: 'add-index', table, index })),
    ...logSteps(before.entity, after),
  ]
}

/** The columns that exist after the steps. */
export function columnsAfter(before: readonly StoredColumn[], steps: readonly DdlStep[]) {
  const columns = new Map(before.map((column) => [column.name, column]))
  for (const step of steps) {
    if (step.type === 'drop-table') columns.clear()
    if (step.type === 'drop-column' || step.type === 'drop-computed') columns.delete(step.column)
    if (step.type === 'rename-column') rename(columns, step.column, step.to)
    const made =
      step.type === 'create-table' ? step.columns : step.type === 'add-column' ? [step.column] : []
    for (const { name, sqlType } of made) columns.set(name, { name, sqlType })
    if (step.type === 'change-type') {
      const { name } = step.property
      columns.set(name, { name, sqlType: sqlTypeOf(step.property) })
    }
  }
  return [...columns.values()]
}

function rename(columns: Map<string, StoredColumn>, from: string, to: string): void {
  const column = columns.get(from)
  if (column) columns.set(to, { ...column, name: to })
  columns.delete(from)
}

/** Made by the migrations. */
const MANAGED_SCHEMA = 'entities'

function createTable(entity: Entity): DdlStep[] {
  const { table, properties, keys } = entity
  const columns = [
    ...properties.map((property) => columnOf(entity, property)),
    { name: EXTRA_COLUMN, sqlType: 'jsonb', notNull: false, generated: null },
  ]
  return [
    ...(originalSchema(table.schema) === MANAGED_SCHEMA
      ? []
      : [{ type: 'create-schema', table } as const]),
    { type: 'create-table', table, columns, primaryKey: keys },
    ...tableIndexes(entity).map((index): DdlStep => ({ type: 'add-index', table, index })),
    ...logSteps(null, entity),
  ]
}

/** The triggers know the key by its column. */
function logSteps(before: Entity | null, after: Entity): DdlStep[] {
  const { table, name: entity, definition } = after
  const key = logKey(after)
  return LOGS.flatMap((log): DdlStep[] => {
    const kept = before?.definition[log] ? logKey(before) : null
    if (!definition[log]) return kept ? [{ type: 'stop-log', log, table, entity }] : []
    return isDeepStrictEqual(kept, key) ? [] : [{ type: 'keep-log', log, table, entity, key }]
  })
}

/** Why no `alter table` leads from one to the other. */
function whyRecreate(before: Entity, after: Entity): string | null {
  const { schema, name } = after.table
  if (!isDeepStrictEqual(before.table, after.table)) return `move to the table ${schema}.${name}`
  const [had, has] = [before.keys.join(', '), after.keys.join(', ')]
  return had === has ? null : `change the primary key from ${had} to ${has}`
}

const recreateTable = (before: Entity, after: Entity, change: string): DdlStep[] => [
  { type: 'require-empty', table: before.table, change },
  { type: 'drop-table', table: before.table },
  ...createTable(after),
]

type Plan = { prepare: DdlStep[]; finish: DdlStep[]; dropped: ReadonlySet<string> }

/**
 * Steps for computed columns, which can't be changed, only made again: `prepare` drops those that change or
 * whose fields do, `finish` makes them. `dropped`: the columns that lose their indexes.
 */
function planComputed({ columns, entity: before }: StoredTable, after: Entity): Plan {
  const { table } = after
  const stored = new Map(columns.map((column) => [column.name, column]))
  const had = new Map(before.properties.map((property) => [property.name, property]))
  const isRetyped = (name: string) => {
    const property = after.properties.find((one) => one.name === name)
    return !property || stored.get(name)?.sqlType !== sqlTypeOf(property)
  }
  const isKept = (property: Property): boolean =>
    had.get(property.name)?.rules.computed === property.rules.computed &&
    ![property.name, ...fieldsOf(parseExpression(property.rules.computed ?? ''))].some(isRetyped)
  const made = after.properties.filter(isComputed).filter((property) => !isKept(property))
  const names = new Set(after.properties.map(({ name }) => name))
  const removed = before.properties.filter((one) => isComputed(one) && !names.has(one.name))
  const released = after.properties.filter((property) => {
    const former = had.get(property.name)
    return !isComputed(property) && former !== undefined && isComputed(former)
  })
  const dropped = [...made, ...removed].map(({ name }) => name).filter((name) => stored.has(name))
  const isOwn = (column: string) => had.get(column)?.rules.computed === undefined
  return {
    prepare: [
      ...released.map(({ name }): DdlStep => ({ type: 'keep-computed', table, column: name })),
      ...dropped.map(
        (column): DdlStep => ({ type: 'drop-computed', table, column, isOwn: isOwn(column) }),
      ),
    ],
    finish: made.map(
      (property): DdlStep => ({ type: 'add-column', table, column: columnOf(after, property) }),
    ),
    dropped: new Set(dropped),
  }
}

const isComputed = ({ rules }: Property) => rules.computed !== undefined
