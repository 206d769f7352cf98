import { type Attribute, findAttribute } from '@/lib/scim/attributes'
import type { Comparison, Filter, FilterValue } from '@/lib/scim/parse-filter'
import { scimError } from '@/lib/scim/scim-error'
import type { Json, JsonObject } from '@/lib/values/json'

/** Whether one value of an attribute meets a filter on its parts. Throws `invalidFilter` as `filterToSql` does. */
export function matchValue(value: JsonObject, filter: Filter, of: Attribute): boolean {
  switch (filter.op) {
    case 'and':
      return filter.of.every((part) => matchValue(value, part, of))
    case 'or':
      return filter.of.some((part) => matchValue(value, part, of))
    case 'not':
      return !matchValue(value, filter.of, of)
    case 'value':
      throw unknown(filter.path, of)
    case 'pr':
      return value[partOf(filter.path, of).name] !== undefined
    default: {
      const part = partOf(filter.path, of)
      return compare(value[part.name] ?? null, filter.op, filter.value, part)
    }
  }
}

function compare(found: Json, op: Comparison, value: FilterValue, part: Attribute): boolean {
  const fold = (one: unknown) => {
    const text = one === null ? '' : String(one)
    return part.caseExact ? text : text.toLowerCase()
  }
  const [left, right] = [fold(found), fold(value)]
  if (op === 'eq' || op === 'ne') return (left === right) === (op === 'eq')
  if (op === 'co') return found !== null && left.includes(right)
  if (op === 'sw') return found !== null && left.startsWith(right)
  if (op === 'ew') return found !== null && left.endsWith(right)
  throw scimError('invalidFilter', `The operator ${op} is for times`)
}

function partOf(path: string, of: Attribute): Attribute {
  const part = findAttribute(of.subAttributes ?? [], path)
  if (!part) throw unknown(path, of)
  return part
}

const unknown = (path: string, { name }: Attribute) =>
  scimError('invalidFilter', `${name} has no part "${path.slice(0, 100)}" to filter by`)

/** What a value has that meets the filter, where this follows from it: `type eq "work" and primary eq true`. Else null. */
export function valueThatMatches(filter: Filter, of: Attribute): JsonObject | null {
  if (filter.op === 'eq') return { [partOf(filter.path, of).name]: filter.value }
  if (filter.op !== 'and') return null
  const parts = filter.of.map((part) => valueThatMatches(part, of))
  return parts.includes(null) ? null : Object.assign({}, ...parts)
}
