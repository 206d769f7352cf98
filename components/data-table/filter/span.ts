import { findOperator } from '@/lib/definitions/operators'
import type { Kind } from '@/lib/kinds/kind'
import type { FieldCondition } from './condition'
import { baseOf, readRelative, spanWords } from './time-words'

/** The days, weeks, … just before now or just after it: `between` a relative time and now. */
export type Span = { way: 'last' | 'next'; count: number; unit: Unit }
type Unit = NonNullable<ReturnType<typeof readRelative>>['unit']

/** The span that a condition tests for; null where it is another one. */
export function spanOf({ operator, value }: FieldCondition): Span | null {
  if (findOperator(operator) !== 'between' || !Array.isArray(value) || value.length !== 2)
    return null
  const [from, to] = value.map((each) => (typeof each === 'string' ? readRelative(each) : null))
  if (!from || !to || from.base !== to.base) return null
  if (to.distance === 0 && from.distance < 0)
    return { way: 'last', count: -from.distance, unit: from.unit }
  if (from.distance === 0 && to.distance > 0)
    return { way: 'next', count: to.distance, unit: to.unit }
  return null
}

/** The condition that a field lies in a span. Of dates whole days are counted, today included. */
export function spanCondition(field: string, kind: Kind, { way, count, unit }: Span) {
  const base = baseOf(kind, unit)
  const sign = way === 'last' ? '-' : ''
  const far = `$${base}(${sign}${Math.max(1, count)}${unit})`
  const value = way === 'last' ? [far, `$${base}`] : [`$${base}`, far]
  return { field, operator: 'between', value } satisfies FieldCondition
}

/** `is in the last 7 days` */
export const spanText = ({ way, count, unit }: Span): string =>
  `is in the ${way} ${count === 1 ? spanWords(1, unit).slice(2) : spanWords(count, unit)}`

export const FIRST_SPAN = { count: 7, unit: 'd' } as const
