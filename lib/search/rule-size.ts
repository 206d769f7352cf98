import { AppError } from '@/lib/errors'
import type { Verdict } from './verdict'

/**
 * Conditions in all fields that only some rows show, a field with none as one: 4,000 add some 100 ms to a page. Statements
 * have at most 65,535 values, and a page repeats undeclared fields.
 */
export const MAX_FIELD_TESTS = 4000
const MAX_ROW_TESTS = 2000

type Sized = { rows: Verdict; fields: ReadonlyMap<string, Verdict>; rest: Verdict }

/** Whether a rule has more conditions than statements can carry out in a reasonable time. */
export function isTooLarge({ rows, fields, rest }: Sized): boolean {
  const sum = [...fields.values(), rest].reduce((sum, one) => sum + Math.max(1, testsIn(one)), 0)
  return sum > MAX_FIELD_TESTS || testsIn(rows) > MAX_ROW_TESTS
}

function testsIn(verdict: Verdict): number {
  if (typeof verdict === 'boolean') return 0
  if (verdict.type === 'test') return 1
  return verdict.of.reduce((sum, one) => sum + testsIn(one), 0)
}

/** Throws `forbidden` for a rule, or a target, whose policies are too large to be carried out. */
export function requireCarriedOut(
  of: { isTooLarge?: boolean | undefined } | null,
  entity: string,
): void {
  if (!of?.isTooLarge) return
  const message = `The policies about "${entity}" say too much about rows and single fields to be carried out; an administrator has to simplify them`
  throw new AppError('forbidden', message)
}
