import { type SQL, sql } from 'drizzle-orm'
import type { Property } from '@/lib/definitions/definition'
import { MAX_ALLOWED } from '@/lib/definitions/definition-faults'
import { isNumberKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { CheckedRule } from '@/lib/tables/ddl-step'
import type { Json } from '@/lib/values/json'
import { jsonFits, jsonToColumn } from './cast-sql'
import type { Contradiction } from './contradictions'

const id = (name: string) => sql.identifier(name)

/**
 * The records that break one rule. None for patterns and formats: the database has no linear-time
 * expressions, so `valueFault` checks those.
 */
export function ruleContradiction(rule: CheckedRule, property: Property): Contradiction | null {
  const { name, rules } = property
  const column = sql`${id(name)}`
  const bound = rules[rule as keyof typeof rules]
  const allowed = rule === 'kind' ? property.type : (bound as Json | undefined)
  const against = (where: SQL, message: string) => {
    const about = { rule: rule === 'kind' ? 'type' : rule, field: name, allowed } as const
    return { where, value: column, message, about: { ...about, ...searchFor(rule, property) } }
  }
  switch (rule) {
    case 'kind':
      return against(
        sql`${column} is not null and not (${kindFits(column, property)})`,
        `${name} must be ${property.type}`,
      )
    case 'min':
      return against(
        sql`${column} < ${String(bound)}::numeric`,
        `${name} must be at least ${bound}`,
      )
    case 'max':
      return against(sql`${column} > ${String(bound)}::numeric`, `${name} must be at most ${bound}`)
    case 'minLength':
      return against(
        sql`char_length(${column}) < ${String(bound)}::int`,
        `${name} must have at least ${bound} characters`,
      )
    case 'maxLength':
      return against(
        sql`char_length(${column}) > ${String(bound)}::int`,
        `${name} must have at most ${bound} characters`,
      )
    case 'enum':
      return against(notInEnum(column, property), `${name} must be one of the values of enum`)
    case 'pattern':
    case 'format':
      return null
  }
}

/** How a search finds the records that break a rule: all at once, or by their values. */
function searchFor(rule: CheckedRule, { name: field, kind, rules }: Property) {
  const bound = rules[rule as 'min' | 'max']
  if (rule === 'min' || rule === 'max')
    return isNumberKind(kind)
      ? { filter: [{ field, operator: rule === 'min' ? 'lt' : 'gt', value: bound ?? null }] }
      : {}
  if (rule === 'kind' || !KINDS[kind].isFoundByValue) return {}
  const allowed = rules.enum ?? []
  if (rule !== 'enum' || allowed.length > MAX_ALLOWED) return { values: [field] }
  const filter = [
    { field, operator: 'nin', value: allowed },
    { field, operator: 'notnull' },
  ]
  return { values: [field], filter }
}

function kindFits(column: SQL, property: Property): SQL {
  const range = KINDS[property.kind].range(property.type)
  if (!range) return jsonFits(column, property)
  return sql`${column} between ${String(range.min)}::numeric and ${String(range.max)}::numeric`
}

function notInEnum(column: SQL, property: Property): SQL {
  const values = sql`jsonb_array_elements(${JSON.stringify(property.rules.enum)}::jsonb) as member`
  const member = jsonToColumn(sql`member`, property)
  return sql`${column} is not null and not exists (select from ${values} where ${column} = ${member})`
}
