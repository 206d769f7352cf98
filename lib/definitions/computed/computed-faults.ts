import type { Property } from '@/lib/definitions/definition'
import { isNumberKind, isTextKind } from '@/lib/kinds/kind'
import { suggestion } from '@/lib/values/nearest'
import { type Expression, parseExpression } from '../computed-expression'
import { ExpressionError } from './tokens'

type Kind = 'number' | 'text'

/** Why a field can't be computed as its rules say, among the `properties` of its schema; null when it can. */
export function computedFault(property: Property, properties: readonly Property[]): string | null {
  const { rules, kind, type } = property
  const wanted = kindOf(property)
  if (wanted === null) return `A computed field is a number or a text, not ${type}`
  const other = OTHERS.find((rule) => rules[rule] !== undefined && rules[rule] !== false)
  if (other) return `A computed field can't have the rule ${other}`
  try {
    const found = typeOf(parseExpression(rules.computed ?? ''), properties)
    return found === wanted ? null : `Is a ${found}, but the field is ${type} (${kind})`
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

const OTHERS = [
  ...(['required', 'default', 'enum', 'min', 'max', 'minLength', 'maxLength', 'pattern'] as const),
  'reference',
] as const

const kindOf = ({ kind }: Property): Kind | null =>
  isNumberKind(kind) ? 'number' : isTextKind(kind) ? 'text' : null

/** Throws `ExpressionError`. */
function typeOf(expression: Expression, properties: readonly Property[]): Kind {
  const kinds = (parts: readonly Expression[]) => parts.map((part) => typeOf(part, properties))
  switch (expression.type) {
    case 'number':
    case 'text':
      return expression.type
    case 'field':
      return fieldType(expression, properties)
    case 'operation': {
      const both = kinds([expression.left, expression.right])
      if (expression.operator === '||') return 'text'
      if (both.every((kind) => kind === 'number')) return 'number'
      throw new ExpressionError(`${expression.operator} needs numbers`, expression.at)
    }
    case 'call':
      return callType(expression, kinds(expression.parts))
  }
}

function callType({ name, at }: Extract<Expression, { type: 'call' }>, kinds: Kind[]): Kind {
  const [first = 'text'] = kinds
  if (name === 'concat') return 'text'
  if (name === 'coalesce') {
    if (kinds.every((kind) => kind === first)) return first
    throw new ExpressionError('coalesce needs values of one kind', at)
  }
  if (kinds.length === 1 && first === 'text') return 'text'
  throw new ExpressionError(`${name} needs one text`, at)
}

function fieldType(
  { name, at }: Extract<Expression, { type: 'field' }>,
  properties: readonly Property[],
): Kind {
  const property = properties.find((one) => one.name === name)
  if (!property) {
    const names = properties.map((one) => one.name)
    throw new ExpressionError(`There is no field "${name}"${suggestion(name, names)}`, at)
  }
  if (property.rules.computed !== undefined)
    throw new ExpressionError(`"${name}" is computed itself`, at)
  const kind = kindOf(property)
  if (kind) return kind
  throw new ExpressionError(`"${name}" is ${property.type}, not a number or a text`, at)
}
