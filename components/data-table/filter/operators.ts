import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { formOf } from '@/components/kinds/value-forms'
import {
  type Arity,
  findOperator,
  OPERATORS,
  type OperatorName,
  operatorsOf,
} from '@/lib/definitions/operators'
import type { Kind } from '@/lib/kinds/kind'
import type { FilterField } from './field'

export type { Arity }
export type OperatorChoice = { operator: string; label: string; arity: Arity }

/** What `between` a relative time and now is called in the builder. */
const SPANS: OperatorChoice[] = [
  { operator: 'last', label: 'is in the last', arity: 'one' },
  { operator: 'next', label: 'is in the next', arity: 'one' },
]

const OF_ENUM: OperatorName[] = ['eq', 'ne', 'in', 'nin', 'isnull', 'notnull']

/** The operators that make sense for a kind of field, the likeliest first. */
export function operatorsFor({
  kind,
  enum: values,
  reference,
}: Pick<FilterField, 'kind' | 'enum' | 'reference'>): OperatorChoice[] {
  const choices = namesFor(kind, values !== undefined, reference !== undefined).map((operator) => ({
    operator,
    label: labelOf(operator, kind),
    arity: arityOf(operator),
  }))
  return CONSOLE_KINDS[kind].moment ? [...SPANS, ...choices] : choices
}

function namesFor(kind: Kind, isEnum: boolean, isReference: boolean): OperatorName[] {
  if (isEnum) return OF_ENUM
  // A record is chosen by its name; parts of ids are rarely asked for.
  if (isReference) return [...new Set([...OF_ENUM, ...operatorsOf(kind)])]
  const { first, others } = formOf(kind).operators
  return [...new Set([...first, ...(others ? operatorsOf(kind) : [])])]
}

export function labelOf(written: string, kind?: Kind): string {
  const operator = findOperator(written)
  if (!operator) return written
  return (kind && formOf(kind).labels[operator]) ?? OPERATORS[operator].label
}

export function arityOf(written: string): Arity {
  const operator = findOperator(written)
  return operator ? OPERATORS[operator].arity : 'one'
}
