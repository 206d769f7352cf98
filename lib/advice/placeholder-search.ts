import { OPERATORS, type OperatorName } from '@/lib/definitions/operators'
import type { SearchShape, ShapeCondition } from '@/lib/definitions/search-shape'
import type { Literal } from '@/lib/kinds/field-kind'
import { isJsonKind, type Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { FieldResolver } from '@/lib/search/resolve-field'
import type { Resolved, ResolvedSearch } from '@/lib/search/resolved'
import { DEFAULT_SIZE } from '@/lib/search/search-input'

/**
 * A search of this shape, to be planned and never run: its values mean nothing. Null when a field of it is gone
 * or of another entity.
 */
export function placeholderSearch(
  { where, sort, count }: Pick<SearchShape, 'where' | 'sort' | 'count'>,
  fieldOf: FieldResolver,
): ResolvedSearch | null {
  try {
    return {
      where: where.map((condition) => resolve(condition, fieldOf)),
      sort: sort.map(({ field, direction }) => ({ field: known(fieldOf(field)), direction })),
      fields: [{ type: 'id' }],
      group: null,
      page: 0,
      size: DEFAULT_SIZE,
      count,
    }
  } catch (error) {
    if (error instanceof MissingFieldError) return null
    throw error
  }
}

class MissingFieldError extends Error {}

function known(found: ReturnType<FieldResolver>) {
  if ('fault' in found) throw new MissingFieldError(found.fault)
  return found
}

function resolve(condition: ShapeCondition, fieldOf: FieldResolver): Resolved {
  if (!('field' in condition))
    return { type: condition.operator, of: condition.of.map((one) => resolve(one, fieldOf)) }
  const { operator } = condition
  const field = known(fieldOf(condition.field))
  const values = Array.from({ length: COUNT[OPERATORS[operator].arity] }, () =>
    placeholder(field.kind, operator),
  )
  return { type: 'test', field, operator, values, orNull: false }
}

const COUNT = { none: 0, one: 1, two: 2, list: 1 } as const

function placeholder(kind: Kind, operator: OperatorName): Literal {
  if (isJsonKind(kind)) return { type: 'json', text: 'a', number: null, container: null }
  const isPattern = 'isPattern' in OPERATORS[operator]
  return { type: isPattern ? 'text' : KINDS[kind].comparedAs, text: 'abc' }
}
