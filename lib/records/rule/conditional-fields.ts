import type { SQL } from 'drizzle-orm'
import { fieldsIn, type PreparedRow } from '@/lib/rows/prepared-row'
import type { Rule } from '@/lib/search/rule'
import { verdictSql } from '@/lib/search/verdict'
import { fieldVerdict, type WriteRule } from '../write-rule'

/** The names of the fields, undeclared ones too, that rows bring. */
export function namesIn(rows: readonly PreparedRow[]): string[] {
  const names = new Set<string>()
  for (const row of rows) for (const name of namesOf(row)) names.add(name)
  return [...names]
}

export const namesOf = (row: PreparedRow): string[] => [
  ...fieldsIn(row),
  ...Object.keys(row.extra ?? {}),
]

/** Those that a rule opens in some records only, each with its condition. */
export function conditionalFields(
  rule: Rule | null,
  { entity }: WriteRule,
  names: readonly string[],
): { name: string; condition: SQL }[] {
  return names.flatMap((name) => {
    const verdict = fieldVerdict(rule, entity, name)
    return typeof verdict === 'boolean' ? [] : [{ name, condition: verdictSql(verdict) }]
  })
}
