import { formOf } from '@/components/kinds/value-forms'
import { findOperator, findQuantifier, OPERATORS, operatorsOf } from '@/lib/definitions/operators'
import { isPlaceOperator, PLACE_FORMS, placeNumbers } from '@/lib/definitions/place-operators'
import type { Validation } from '@/lib/errors'
import { type Kind, nounOf } from '@/lib/kinds/kind'
import { plainText } from '@/lib/values/exact-json'
import type { Json } from '@/lib/values/json'
import { nearest } from '@/lib/values/nearest'
import { type Condition, type FieldCondition, fieldConditions, innerOf } from './condition'
import { type FilterField, isOfActor } from './field'
import { findField, isOfRelated } from './find-field'
import { labelOf } from './operators'
import { asksOf, testedName } from './relation'

/** Why a condition can't be used, and the condition with the field or operator that was likely meant. */
export type Fault = { reason: string; meant?: { name: string; condition: FieldCondition } }

/** What is wrong with a condition, as far as the fields tell; null where nothing is seen to be. */
export function faultOf(condition: FieldCondition, fields: readonly FilterField[]): Fault | null {
  const { field: name, operator } = condition
  const quantified = findQuantifier(operator) && findField(fields, testedName(condition))
  if (quantified?.isBeyond) return null
  if (operator === 'unreadable')
    return { reason: 'The filter in the address can’t be read; remove it and build it anew' }
  const found = quantified && isOfRelated(quantified) ? quantified : findField(fields, name)
  if (found && isOfRelated(found)) return relatedFault(condition, found.field)
  const relation = found?.path === '' && found.field.relation
  if (relation) return { reason: `Choose ${wordsOf(asksOf(relation))}` }
  if (!found)
    return unknown(
      'field',
      name,
      fields.map((field) => field.name),
      (field) => ({ ...condition, field }),
    )
  const known = findOperator(operator)
  if (!known)
    return unknown('operator', operator, Object.keys(OPERATORS), (meant) => ({
      ...condition,
      operator: meant,
    }))
  if (found.isBeyond) return null
  if (!operatorsOf(found.kind).includes(known))
    return {
      reason: `“${labelOf(known)}” can’t be asked of ${nounOf(found.kind)}; choose another operator`,
    }
  return valueFault(condition.value, known, found.kind)
}

/** What a condition about records that refer to one lacks. */
function relatedFault({ operator, filters }: FieldCondition, { related }: FilterField) {
  if (!findQuantifier(operator)) return { reason: `Choose a field of ${related?.entity}` }
  const lacksFilters = findQuantifier(operator) === 'every' && !filters?.length
  return lacksFilters ? { reason: `Add a condition that each ${related?.entity} must meet` } : null
}

/** `at least one, none or each` */
const wordsOf = (fields: readonly FilterField[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(
    fields.map(({ label, name }) => label ?? name),
  )

function unknown(
  what: string,
  name: string,
  names: readonly string[],
  withName: (name: string) => FieldCondition,
): Fault {
  const meant = nearest(name, names)
  const reason = `Unknown ${what} “${name}”`
  if (!meant) return { reason: `${reason}; choose another one` }
  const condition = withName(meant)
  return { reason: `${reason}; did you mean “${meant}”?`, meant: { name: meant, condition } }
}

function valueFault(value: unknown, operator: keyof typeof OPERATORS, kind: Kind): Fault | null {
  const { arity } = OPERATORS[operator]
  if (arity === 'none') return null
  if (isPlaceOperator(operator))
    return placeNumbers(operator, value as Json)
      ? null
      : { reason: `Enter ${PLACE_FORMS[operator].form}` }
  const takesParts = 'isPattern' in OPERATORS[operator]
  if (arity === 'two' && !(Array.isArray(value) && value.length === 2))
    return { reason: 'Enter two values' }
  if (arity === 'one' && value === undefined) return { reason: 'Enter a value' }
  const values = Array.isArray(value) && arity !== 'one' ? value : [value]
  const wrong = takesParts ? undefined : values.find((each) => !fits(each, kind))
  if (wrong === undefined) return null
  if (wrong === '') return { reason: `Enter ${wanted(kind)}` }
  return { reason: `“${plainText(wrong)}” is not ${wanted(kind)}` }
}

/** `a date, such as 2026-01-31 or 7 days ago` */
function wanted(kind: Kind): string {
  const { example } = formOf(kind)
  return example === null ? nounOf(kind) : `${nounOf(kind)}, such as ${example}`
}

const fits = (value: unknown, kind: Kind): boolean =>
  value === null || isOfActor(value) || formOf(kind).fits(plainText(value).trim(), value)

/** Faults by the condition that has them; conditions are distinguished by identity. */
export type Faults = ReadonlyMap<Condition, Fault>

/** The faults of a filter: those that the fields tell, and those that the server found when it refused the search. */
export function faultsOf(
  filter: readonly Condition[],
  fields: readonly FilterField[],
  refused: readonly Validation[] = [],
): Faults {
  const faults = new Map<Condition, Fault>()
  for (const { field, error } of refused) {
    const condition = conditionAt(filter, field)
    if (condition && !faults.has(condition)) faults.set(condition, { reason: error })
  }
  for (const condition of fieldConditions(filter)) {
    const fault = faultOf(condition, fields)
    if (fault) faults.set(condition, fault)
    const inner = findField(fields, testedName(condition))?.field.related?.fields
    if (!condition.filters || !inner) continue
    for (const [each, own] of faultsOf(condition.filters, inner)) faults.set(each, own)
  }
  return faults
}

/** The condition that a path such as `query.0.filters.2.value` of the API leads to. */
function conditionAt(filter: readonly Condition[], path: string): Condition | undefined {
  const steps = /^(?:query|filters?)((?:\.\d+|\.filters(?=\.\d))+)/.exec(path)?.[1]?.match(/\d+/g)
  let found: Condition | undefined
  let list: readonly Condition[] = filter
  for (const step of steps ?? []) {
    found = list[Number(step)]
    list = found ? innerOf(found) : []
  }
  return found
}

/** The first fault within a condition, groups included. */
export function firstFault(condition: Condition, faults: Faults): Fault | null {
  const own = faults.get(condition)
  if (own) return own
  for (const each of innerOf(condition)) {
    const fault = firstFault(each, faults)
    if (fault) return fault
  }
  return null
}

/** The condition with what was likely meant in place of each wrong name. */
export function corrected(condition: Condition, faults: Faults): Condition {
  const meant = faults.get(condition)?.meant?.condition ?? condition
  if (!('filters' in meant)) return meant
  return { ...meant, filters: innerOf(meant).map((each) => corrected(each, faults)) }
}
