import { isJson } from '@/lib/advice/read-index-request'
import { isPattern, type OperatorName } from '@/lib/definitions/operators'
import type { ShapeCondition } from '@/lib/definitions/search-shape'
import { isListKind } from '@/lib/kinds/kind'
import type { FieldResolver } from '@/lib/search/resolve-field'
import type { FieldRef } from '@/lib/search/resolved'

/** How an index can serve a condition: `none` of them does, or it is `beyond` a reference. */
type Use = 'equal' | 'range' | 'pattern' | 'json' | 'none' | 'beyond'

type Test = Extract<ShapeCondition, { field: string }>
export type Classified = Test & { use: Use; ref: FieldRef | null }

const EQUAL: ReadonlySet<OperatorName> = new Set(['eq', 'in', 'isnull'])
const RANGE: ReadonlySet<OperatorName> = new Set(['gt', 'gte', 'lt', 'lte', 'between'])

export function classifyTest(test: Test, fieldOf: FieldResolver): Classified {
  const found = fieldOf(test.field)
  if ('fault' in found) return { ...test, use: 'beyond', ref: null }
  return { ...test, use: isJson(found) ? jsonUse(found, test) : scalarUse(test), ref: found }
}

function scalarUse({ operator }: Test): Use {
  if (EQUAL.has(operator)) return 'equal'
  if (RANGE.has(operator)) return 'range'
  return isPattern(operator) ? 'pattern' : 'none'
}

/** What the search compiler writes as containment. */
function jsonUse({ kind, path }: FieldRef, { operator }: Test): Use {
  if (operator === 'contains' && isListKind(kind)) return 'json'
  const isKey = path.length > 0 && !path.some((key) => /^-?\d+$/.test(key))
  return isKey && (operator === 'eq' || operator === 'in') ? 'json' : 'none'
}
