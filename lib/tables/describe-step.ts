import type { Property } from '@/lib/definitions/definition'
import { sqlTypeOf } from './column-spec'
import type { DdlStep, StepOf } from './ddl-step'

/** A step in one sentence for people. */
export function describeStep(step: DdlStep): string {
  const table = `${step.table.schema}.${step.table.name}`
  switch (step.type) {
    case 'create-schema':
      return `Create the database schema ${step.table.schema} if it does not exist`
    case 'create-table':
      return `Create the table ${table} with ${step.columns.length} columns, primary key ${step.primaryKey.join(', ')}`
    case 'require-empty':
      return `Make sure that the table ${table} is empty, to ${step.change}`
    case 'drop-table':
      return `Drop the empty table ${table}`
    case 'rename-table':
      return `Rename the table ${table} to ${step.to.schema}.${step.to.name}`
    case 'rename-column':
      return `Rename the column ${step.column} of ${table} to ${step.to}`
    case 'rename-extra':
      return `Rename the undeclared ${step.from} to ${step.to} in ${table}`
    case 'drop-column':
      return `Drop the empty column ${step.column} of ${table}`
    case 'drop-computed':
      return `Drop the ${step.isOwn ? 'empty' : 'computed'} column ${step.column} of ${table}`
    case 'keep-computed':
      return `Keep the values of ${step.column} of ${table}, which are no longer computed`
    case 'add-column':
      return `Add the ${step.column.computed ? 'computed ' : ''}column ${step.column.name} (${step.column.sqlType}) to ${table}`
    case 'change-type':
      return `${step.widening ? 'Widen' : 'Change'} the column ${step.from.name} of ${table} from ${step.from.sqlType} to ${sqlTypeOf(step.property)}`
    case 'drop-generated':
      return `Stop generating ${step.column} of ${table} ${MADE[step.generated]}`
    case 'add-generated':
      return `Generate ${step.column.name} of ${table} ${MADE[step.generated]} where a record has none`
    case 'hide-column':
      return `Stop serving ${step.column} of ${table}; ${keptValues(step.values)}`
    case 'set-not-null':
      return `Require a value for ${step.column} in ${table}`
    case 'drop-not-null':
      return `Allow records without ${step.column} in ${table}`
    case 'move-extra':
      return `Move undeclared values of ${step.property.name} into its column in ${table}`
    case 'fill-default':
      return `Set ${step.property.name} to ${presetOf(step.property)} where ${table} has no value`
    case 'check-values':
      return `Check the values of ${step.property.name} in ${table} against the new ${step.rules.join(', ')}`
    case 'check-no-extra':
      return `Check that no record of ${table} has undeclared fields`
    case 'keep-log':
      return `Keep ${LOGS[step.log]} ${step.entity} from now on`
    case 'begin-changes':
      return `Let those who follow the changes of ${step.entity} begin again, as its records look different`
    case 'stop-log':
      return `No longer keep ${LOGS[step.log]} ${step.entity}; what was kept stays until it expires`
    case 'add-index':
    case 'drop-index':
      return describeIndex(step, table)
    case 'place':
      return describePlacement(step)
    case 'add-reference':
    case 'drop-reference': {
      const { columns, target, fields, onDelete } = step.reference
      const words = `${named(table, columns)} to refer to ${named(`${target.schema}.${target.name}`, fields)}`
      const action = onDelete ? ON_DELETE[onDelete] : ''
      return step.type === 'add-reference'
        ? `Require ${words}${action}`
        : `No longer require ${words}`
    }
  }
}

function describePlacement({ entity, placement }: StepOf<'place'>): string {
  if (placement.type === 'local') return `Bring the records of ${entity} back to the coordinator`
  if (placement.type === 'reference') return `Copy ${entity} to every node, as a reference table`
  const { by, shards, beside } = placement
  const together = beside === null ? '' : `, together with ${beside}`
  return `Distribute ${entity} by ${by} over ${shards} shards${together}`
}

const named = (table: string, columns: readonly string[]) =>
  `${table}.${columns.length === 1 ? columns[0] : `(${columns.join(', ')})`}`

const ON_DELETE = {
  cascade: ', and delete records together with the one they refer to',
  setNull: ', and empty it when the record it refers to is deleted',
} as const

function keptValues(values: number | null): string {
  if (values === null) return 'its values are kept'
  if (values === 0) return 'it has no values'
  return values === 1 ? 'its 1 value is kept' : `its ${values} values are kept`
}

function presetOf({ rules: { generates, default: value } }: Property): string {
  if (generates === 'now') return 'the present time'
  return generates === 'uuid' ? 'a new UUID' : JSON.stringify(value)
}

const MADE = { identity: 'by counting', sequence: 'by counting', uuid: 'as a UUID' } as const

function describeIndex({ type, index }: StepOf<'add-index' | 'drop-index'>, table: string): string {
  const columns = index.parts.map(({ column }) => column).join(', ')
  const uses = index.parts.flatMap(({ natural, operators, words }) =>
    natural ? ['natural order'] : operators ? ['contents'] : words ? ['text search'] : [],
  )
  const kind = index.unique ? 'unique index' : 'index'
  const use = uses.length > 0 ? ` for ${[...new Set(uses)].join(', ')}` : ''
  return `${type === 'add-index' ? 'Add' : 'Drop'} the ${kind} on ${table} (${columns})${use}`
}

const LOGS = { history: 'the history of the records of', events: 'the changes of the records of' }
