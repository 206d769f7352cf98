import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/sql'
import { EXTRA_COLUMN, type Property } from '@/lib/definitions/definition'
import type { FaultFilter, FaultRule } from '@/lib/definitions/definition-faults'
import { convertColumn } from '@/lib/tables/convert-column'
import type { DdlStep, StepOf } from '@/lib/tables/ddl-step'
import type { Json } from '@/lib/values/json'
import { jsonFits } from './cast-sql'
import { ruleContradiction } from './rule-contradiction'

/** The records that forbid a step: a condition on the table's rows, and the reason for people. */
export type Contradiction = { where: SQL; value: SQL | null; message: string; about: AboutRule }

/** What the records break. */
type AboutRule = {
  rule: FaultRule
  field: string | null
  allowed?: Json
  /** Finds them all; left out where no search does. */
  filter?: FaultFilter
  /** The fields whose values are `value`, in order, where a search can be given them. */
  values?: string[]
}

const id = (name: string) => sql.identifier(name)

/** All contradictions of a step; a step without any is always possible. */
export function contradictionsOf(step: DdlStep): Contradiction[] {
  switch (step.type) {
    case 'change-type':
      return changeType(step)
    case 'drop-computed': {
      const column = sql`${id(step.column)}`
      const message = `Has a ${step.column}, which would be computed now; rename the field, or empty it`
      const filter = [{ field: step.column, operator: 'notnull' }]
      const about: AboutRule = { rule: 'computed', field: step.column, filter }
      return step.isOwn
        ? [{ where: sql`${column} is not null`, value: column, message, about }]
        : []
    }
    case 'move-extra':
      return [moveExtra(step.property)]
    case 'set-not-null': {
      const message = `Has no ${step.column}, which is required now; give it a default`
      const filter = [{ field: step.column, operator: 'isnull' }]
      const about: AboutRule = { rule: 'required', field: step.column, filter }
      return [{ where: sql`${id(step.column)} is null`, value: null, message, about }]
    }
    case 'check-values':
      return step.rules.flatMap((rule) => ruleContradiction(rule, step.property) ?? [])
    case 'check-no-extra': {
      const extra = sql`${id(EXTRA_COLUMN)}`
      const message = 'Has undeclared fields, which are no longer allowed'
      const about: AboutRule = { rule: 'undeclared', field: null }
      return [{ where: sql`${extra} is not null`, value: extra, message, about }]
    }
    case 'add-index':
      return addIndex(step)
    case 'add-reference':
      return step.strict ? [addReference(step)] : []
    default:
      return []
  }
}

function changeType({ table, from, property }: StepOf<'change-type'>): Contradiction[] {
  const column = sql`${id(from.name)}`
  const { using, fits } = convertColumn(column, from.sqlType, property)
  if (!fits) return []
  const isNull = from.sqlType === 'jsonb' ? sql`${column} <> 'null'::jsonb` : sql`true`
  const where = sql`${column} is not null and ${isNull} and not (${fits})`
  const message = `${from.name} cannot become ${property.type}`
  const about: AboutRule = {
    ...{ rule: 'type', field: from.name, allowed: property.type },
    ...(isSearchedByValue(from.sqlType) ? { values: [from.name] } : {}),
  }
  const misfit = { where, value: column, message, about }
  if (!property.rules.unique) return [misfit]
  // Different texts may be the same number: "1" and "01".
  const repeated = sql`select ${using} from ${tableSql(table)} where ${column} is not null group by 1 having count(*) > 1`
  return [
    misfit,
    {
      where: sql`${using} in (${repeated})`,
      value: column,
      message: `Another record would have the same ${from.name} as ${property.type}`,
      about: { rule: 'unique', field: from.name },
    },
  ]
}

/** Whether a value of the column, as JSON, finds exactly the records that have it. */
const isSearchedByValue = (sqlType: string): boolean =>
  /^(text|character varying|smallint|integer|bigint|numeric|boolean|date|uuid)/.test(sqlType)

function moveExtra(property: Property): Contradiction {
  const value = sql`(${id(EXTRA_COLUMN)} -> ${property.name}::text)`
  return {
    where: sql`${id(EXTRA_COLUMN)} ? ${property.name}::text and ${value} <> 'null'::jsonb and not (${jsonFits(value, property)})`,
    value,
    message: `The undeclared ${property.name} cannot become ${property.type}`,
    about: { rule: 'type', field: property.name, allowed: property.type },
  }
}

function addIndex({ table, index }: StepOf<'add-index'>): Contradiction[] {
  const columns = index.parts.map(({ column }) => column)
  const names = sql.join(columns.map(id), sql`, `)
  const found: Contradiction[] = []
  if (index.unique) {
    const present = sql.join(
      columns.map((name) => sql`${id(name)} is not null`),
      sql` and `,
    )
    const repeated = sql`select ${names} from ${tableSql(table)} where ${present} group by ${names} having count(*) > 1`
    found.push({
      where: sql`(${names}) in (${repeated})`,
      value: sql`jsonb_build_array(${names})`,
      message: `Another record has the same ${columns.join(', ')}`,
      about: { rule: 'unique', field: columns.join(', '), values: columns },
    })
  }
  if (index.maxBytes !== null) {
    const bytes = sql.join(
      columns.map((name) => sql`octet_length(${id(name)}::text)`),
      sql`, `,
    )
    found.push({
      where: sql`greatest(${bytes}) > ${sql.raw(String(index.maxBytes))}`,
      value: null,
      message: `${columns.join(', ')} is longer than the ${index.maxBytes} bytes that an index can hold`,
      about: { rule: 'size', field: columns.join(', '), allowed: index.maxBytes },
    })
  }
  return found
}

function addReference({ reference }: StepOf<'add-reference'>): Contradiction {
  const { columns, target, fields } = reference
  const own = columns.map((name) => sql`source.${id(name)}`)
  const equal = own.map((column, at) => sql`target.${id(fields[at] ?? '')} = ${column}`)
  const found = sql`select from ${tableSql(target)} as target where ${sql.join(equal, sql` and `)}`
  return {
    where: sql`num_nulls(${sql.join(own, sql`, `)}) = 0 and not exists (${found})`,
    value: sql`source.${id(columns[0] ?? '')}`,
    message: `${columns.join(', ')} ${columns.length === 1 ? 'refers' : 'refer'} to a record that does not exist`,
    about: {
      rule: 'reference',
      field: columns.join(', '),
      ...(columns.length === 1 ? { values: columns } : {}),
    },
  }
}
