import { formOf } from '@/components/kinds/value-forms'
import type { FieldCondition } from './condition'
import type { FilterField } from './field'
import { arityOf, operatorsFor } from './operators'
import { quantifiedCondition } from './relation'
import { FIRST_SPAN, spanCondition } from './span'
import { adaptValue } from './values/value-text'

/** A condition on a field with the operator that one likely wants. */
export function initialCondition(field: FilterField): FieldCondition {
  if (field.relation) return { field: field.name, operator: 'some' }
  const quantified = field.related && quantifiedCondition(field.name)
  if (quantified) return quantified
  const first = operatorsFor(field)[0]?.operator ?? 'eq'
  const chosen = chooseOperator({ field: field.name, operator: first }, field, first)
  if (chosen.value === undefined && arityOf(chosen.operator) === 'one')
    return { ...chosen, value: field.enum?.[0] ?? formOf(field.kind).firstValue }
  return chosen
}

/** The condition with another operator of the builder, and as much of its value as suits that. */
export function chooseOperator(
  condition: FieldCondition,
  field: Pick<FilterField, 'kind'>,
  operator: string,
): FieldCondition {
  if (operator === 'last' || operator === 'next')
    return spanCondition(condition.field, field.kind, { ...FIRST_SPAN, way: operator })
  return { ...condition, operator, value: adaptValue(condition.value, arityOf(operator)) }
}

/** The condition of another field; what is asked of the same records that refer to one stays. */
export function changedField(condition: FieldCondition, field: FilterField): FieldCondition {
  const changed = initialCondition(field)
  const { filters } = condition
  return filters && changed.field === condition.field ? { ...changed, filters } : changed
}
