import {
  type Entity,
  MAX_EXTRA_FIELDS,
  type Property,
  type StoredColumn,
} from '@/lib/definitions/definition'
import { isAnyJsonKind, isJsonKind, isPlaceKind } from '@/lib/kinds/kind'
import type { Json } from '@/lib/values/json'
import { columnOf, type Generated, type StoredTable, sqlTypeOf } from './column-spec'
import { isWidening } from './convert-column'
import type { CheckedRule, ColumnSpec, DdlStep } from './ddl-step'

type Steps = { prepare: DdlStep[]; finish: DdlStep[] }

/** Steps for the columns: `prepare` makes them and moves values, `finish` tightens their rules. */
export function planColumns({ columns, entity: before }: StoredTable, after: Entity): Steps {
  const stored = new Map(columns.map((column) => [column.name, column]))
  const served = new Map(before.properties.map((property) => [property.name, property]))
  const names = new Set(after.properties.map(({ name }) => name))
  const dropped = before.properties.filter(
    ({ name, rules }) => !names.has(name) && rules.computed === undefined,
  )
  const required = dropped.filter(({ rules }) => rules.required)
  const table = after.table
  const own = after.properties.filter(({ rules }) => rules.computed === undefined)
  const each = own.map((property) =>
    planColumn(after, property, {
      stored: stored.get(property.name),
      before: served.get(property.name),
      generated: generatedIn(before, property.name),
      mayBeUndeclared: before.open && isRemembered(before, property.name),
    }),
  )
  return {
    prepare: [
      ...dropped.map(
        ({ name }): DdlStep => ({
          type: 'hide-column',
          table,
          column: name,
          sqlType: stored.get(name)?.sqlType,
          values: null,
        }),
      ),
      ...required.map(({ name }): DdlStep => ({ type: 'drop-not-null', table, column: name })),
      ...each.flatMap(({ prepare }) => prepare),
    ],
    finish: each.flatMap(({ finish }) => finish),
  }
}

// When the registry is full, there may be names that it does not know.
const isRemembered = ({ extraFields }: Entity, name: string) =>
  extraFields.length >= MAX_EXTRA_FIELDS || extraFields.includes(name)

function generatedIn(entity: Entity, name: string): Generated {
  const property = entity.properties.find((candidate) => candidate.name === name)
  return property ? columnOf(entity, property).generated : null
}

/**
 * The current column, the property it was made for, how its values were generated, and whether
 * undeclared values may exist.
 */
type Earlier = {
  stored?: StoredColumn
  before?: Property
  generated: Generated
  mayBeUndeclared: boolean
}

function planColumn(
  entity: Entity,
  property: Property,
  { stored, before, generated, mayBeUndeclared }: Earlier,
): Steps {
  const { table } = entity
  const { name, rules } = property
  const isKey = entity.keys.includes(name)
  const prepare: DdlStep[] = []
  const finish: DdlStep[] = []
  if (!stored) {
    const column = { ...columnOf(entity, property), notNull: false }
    prepare.push({ type: 'add-column', table, column })
  } else if (stored.sqlType !== sqlTypeOf(property)) {
    const widening = isWidening(stored.sqlType, property)
    prepare.push({ type: 'change-type', table, from: stored, property, widening })
  }
  const remade = isKey && stored ? remake(columnOf(entity, property), stored, generated) : null
  if (remade?.drop) prepare.unshift({ type: 'drop-generated', table, ...remade.drop })
  if (remade?.add) prepare.push({ type: 'add-generated', table, ...remade.add })
  if (!before && mayBeUndeclared)
    prepare.push({ type: 'move-extra', table, property, keys: entity.keys })
  const isNewlyRequired = rules.required && !before?.rules.required
  if (rules.default !== undefined && (!before || isNewlyRequired))
    prepare.push({ type: 'fill-default', table, property, keys: entity.keys })
  if (before?.rules.required && !rules.required && !isKey)
    prepare.push({ type: 'drop-not-null', table, column: name })
  // Values of a column that was not served: queries and an index convert them.
  const isServedAgain = stored !== undefined && !before && isPlaceKind(property.kind)
  const tightened = [
    ...(isServedAgain ? (['kind'] as const) : []),
    ...tightenedRules(before, property),
  ]
  if (tightened.length > 0) finish.push({ type: 'check-values', table, property, rules: tightened })
  if (isNewlyRequired && !isKey) finish.push({ type: 'set-not-null', table, column: name })
  return { prepare, finish }
}

/** How the database generates the values of a key's column, where it must do so differently. */
function remake(column: ColumnSpec, { sqlType }: StoredColumn, was: Generated) {
  const { name, generated: is } = column
  // The database converts an identity from one integer type to another by itself.
  if (is === was && (is === 'identity' || sqlType === column.sqlType)) return null
  const isCounter = was === 'identity' || was === 'sequence'
  return {
    drop: was && { column: name, generated: was },
    add: is && { column: { name, sqlType: column.sqlType }, generated: is, counted: isCounter },
  }
}

/** Rules that values stored under `before` may break; all rules when it was not served. */
export function tightenedRules(before: Property | undefined, after: Property): CheckedRule[] {
  const had = before?.rules
  const has = after.rules
  const tightened: CheckedRule[] = []
  if (before && isNarrowerKind(before, after)) tightened.push('kind')
  for (const rule of ['min', 'minLength'] as const)
    if (has[rule] !== undefined && !(Number(had?.[rule]) >= has[rule])) tightened.push(rule)
  for (const rule of ['max', 'maxLength'] as const)
    if (has[rule] !== undefined && !(Number(had?.[rule]) <= has[rule])) tightened.push(rule)
  if (has.enum && !includesAll(has.enum, had?.enum)) tightened.push('enum')
  for (const rule of ['pattern', 'format'] as const)
    if (has[rule] !== undefined && had?.[rule] !== has[rule]) tightened.push(rule)
  // An empty text is exempt from the format only where the field is not required.
  if (has.format !== undefined && has.format === had?.format && has.required && !had.required)
    tightened.push('format')
  return tightened
}

/** By their JSON: an object with reordered keys is checked needlessly, which does no harm. */
function includesAll(values: readonly Json[], old: readonly Json[] | undefined): boolean {
  const known = new Set(values.map((value) => JSON.stringify(value)))
  return old?.every((value) => known.has(JSON.stringify(value))) ?? false
}

/** Kinds and types that share a column type, so that no conversion would detect a difference. */
function isNarrowerKind(before: Property, after: Property): boolean {
  if (before.type === 'bigint' && after.type === 'integer') return true
  const isOfOneForm = isJsonKind(after.kind) && !isAnyJsonKind(after.kind)
  return isOfOneForm && before.kind !== after.kind && isJsonKind(before.kind)
}
