import { type SQL, sql } from 'drizzle-orm'
import type { Resolved } from './resolved'
import { conditionsSql } from './to-sql'

/** What a rule says of a row or of a field in it: always, never, or where a condition holds. */
export type Verdict = boolean | Resolved

export function any(verdicts: readonly Verdict[]): Verdict {
  const open = verdicts.filter((verdict) => verdict !== false)
  if (open.includes(true)) return true
  return combined('or', open as Resolved[]) ?? false
}

export function all(verdicts: readonly Verdict[]): Verdict {
  const open = verdicts.filter((verdict) => verdict !== true)
  if (open.includes(false)) return false
  return combined('and', open as Resolved[]) ?? true
}

/** An exact complement: where the condition is neither true nor false, its opposite holds. */
export const not = (verdict: Verdict): Verdict =>
  typeof verdict === 'boolean' ? !verdict : { type: 'not', of: [verdict] }

function combined(type: 'and' | 'or', list: readonly Resolved[]): Resolved | null {
  const [first] = list
  if (!first) return null
  return list.length === 1 ? first : { type, of: [...list] }
}

/** As conditions that must all hold. */
export function conditionsOf(verdict: Verdict): Resolved[] {
  if (typeof verdict === 'boolean') return verdict ? [] : [{ type: 'or', of: [] }]
  return verdict.type === 'and' ? verdict.of : [verdict]
}

/** True or not; never null. */
export const verdictSql = (verdict: Verdict): SQL =>
  sql`(${conditionsSql(conditionsOf(verdict))} is true)`
