import { isDeepStrictEqual } from 'node:util'
import type { Attribute } from '@/lib/scim/attributes'
import { matchValue, valueThatMatches } from '@/lib/scim/filter/match-value'
import { scimError } from '@/lib/scim/scim-error'
import { isPrimary, readOne, readValue, requireFewValues } from '@/lib/scim/values/read-values'
import type { Json, JsonObject } from '@/lib/values/json'
import type { Operation } from './read-operation'

/** The values of an attribute with many, after an operation. Throws `invalidValue`, `noTarget`. */
export function changeValues(values: readonly JsonObject[], operation: Operation): JsonObject[] {
  const after = valuesAfter(values, operation)
  requireFewValues(operation.place.attribute, after)
  return after
}

function valuesAfter(
  values: readonly JsonObject[],
  { op, place: { attribute, sub }, filter, value }: Operation,
): JsonObject[] {
  const isChosen = (item: JsonObject) => !filter || matchValue(item, filter, attribute)
  if (op === 'remove' && !sub)
    return values.filter((item) => !isChosen(item) || !isNamed(item, value))
  if (filter || sub) {
    const change = (item: JsonObject) => changePart(item, { op, attribute, sub, value })
    if (values.some(isChosen))
      return onePrimary(
        values.map((item) => (isChosen(item) ? change(item) : item)),
        values,
      )
    if (op === 'remove') return [...values]
    const made = filter ? valueThatMatches(filter, attribute) : {}
    if (!made) throw scimError('noTarget', `No value of ${attribute.name} meets the filter`)
    return [...values, change(readOne(attribute, made as Json) as JsonObject)]
  }
  const sent = (readValue(attribute, value ?? null) ?? []) as JsonObject[]
  if (op === 'replace') return sent
  const added = sent.filter((item) => !values.some((known) => isDeepStrictEqual(known, item)))
  return onePrimary([...values, ...added], values)
}

/** Entra removes values by naming them in the value of the operation. */
const isNamed = (item: JsonObject, value: Json | undefined): boolean =>
  !Array.isArray(value) ||
  value.length === 0 ||
  value.some((one) => (one as JsonObject | null)?.value === item.value)

type Change = {
  op: Operation['op']
  attribute: Attribute
  sub: Attribute | null
  value: Json | undefined
}

function changePart(item: JsonObject, { op, attribute, sub, value }: Change): JsonObject {
  if (!sub) return { ...item, ...((readOne(attribute, value ?? null) ?? {}) as JsonObject) }
  const read = op === 'remove' ? undefined : readValue(sub, value ?? null)
  const { [sub.name]: _, ...rest } = item ?? {}
  return read === undefined ? rest : { ...rest, [sub.name]: read }
}

/** A value that has become the primary one takes the place of the one that was. */
const onePrimary = (after: JsonObject[], before: readonly JsonObject[]): JsonObject[] => {
  const isFormer = (item: JsonObject) => before.includes(item)
  const isReplaced = after.some((item) => isPrimary(item) && !isFormer(item))
  return after.map((item) => (isReplaced && isFormer(item) ? withoutPrimary(item) : item))
}

const withoutPrimary = ({ primary: _, ...rest }: JsonObject): JsonObject => rest
