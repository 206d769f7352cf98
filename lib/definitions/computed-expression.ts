import { ExpressionError, type Token, tokensOf } from './computed/tokens'

/**
 * What a computed field is computed from. The grammar: fields, numbers, 'texts', + - * / ||, parentheses
 * and FUNCTIONS.
 */
export type Expression =
  | { type: 'number'; text: string }
  | { type: 'text'; value: string }
  | { type: 'field'; name: string; at: number }
  | { type: 'operation'; operator: Operator; left: Expression; right: Expression; at: number }
  | { type: 'call'; name: FunctionName; parts: Expression[]; at: number }

type Operator = '+' | '-' | '*' | '/' | '||'
const FUNCTIONS = ['lower', 'upper', 'concat', 'coalesce'] as const
type FunctionName = (typeof FUNCTIONS)[number]

const RANKS: Record<Operator, number> = { '||': 1, '+': 2, '-': 2, '*': 3, '/': 3 }
const MAX_DEPTH = 50

/** Reads an expression; throws `ExpressionError`. */
export function parseExpression(text: string): Expression {
  const tokens = tokensOf(text)
  let next = 0
  const peek = () => tokens[next]
  const fail = (wanted: string): never => {
    const found = peek()
    const shown = found ? `not "${found.text}"` : 'but it ends'
    throw new ExpressionError(`Expects ${wanted}, ${shown}`, found?.at ?? text.length)
  }
  const expression = operation(0, 0)
  if (peek()) fail('an operator')
  return expression

  function operation(rank: number, depth: number): Expression {
    if (depth > MAX_DEPTH) throw new ExpressionError('Is nested too deeply', peek()?.at ?? 0)
    let left = operand(depth)
    for (let token = peek(); isOperator(token) && RANKS[token.text] > rank; token = peek()) {
      next++
      const right = operation(RANKS[token.text], depth + 1)
      left = { type: 'operation', operator: token.text, left, right, at: token.at }
    }
    return left
  }

  function operand(depth: number): Expression {
    const token = peek()
    if (!token) return fail('a field, a value or a function')
    next++
    if (token.kind === 'number') return { type: 'number', text: token.text }
    if (token.kind === 'text')
      return { type: 'text', value: token.text.slice(1, -1).replaceAll("''", "'") }
    if (token.kind === 'name')
      return isSign('(') ? call(token, depth) : { type: 'field', name: token.text, at: token.at }
    if (token.text === '-') {
      const right = operation(RANKS['*'], depth + 1)
      return {
        type: 'operation',
        operator: '-',
        left: { type: 'number', text: '0' },
        right,
        at: token.at,
      }
    }
    if (token.text !== '(') {
      next--
      return fail('a field, a value or a function')
    }
    const inner = operation(0, depth + 1)
    take(')')
    return inner
  }

  function call(token: Token, depth: number): Expression {
    const name = FUNCTIONS.find((one) => one === token.text.toLowerCase())
    if (!name)
      throw new ExpressionError(
        `There is no function ${token.text}; use ${FUNCTIONS.join(', ')}`,
        token.at,
      )
    take('(')
    const parts = [operation(0, depth + 1)]
    while (isSign(',')) {
      take(',')
      parts.push(operation(0, depth + 1))
    }
    take(')')
    return { type: 'call', name, parts, at: token.at }
  }

  function isSign(sign: string): boolean {
    const token = peek()
    return token?.kind === 'sign' && token.text === sign
  }

  function take(sign: string): void {
    if (!isSign(sign)) fail(`"${sign}"`)
    next++
  }
}

const isOperator = (token: Token | undefined): token is Token & { text: Operator } =>
  token?.kind === 'sign' && token.text in RANKS

/** The fields that an expression uses. */
export function fieldsOf(expression: Expression): string[] {
  switch (expression.type) {
    case 'field':
      return [expression.name]
    case 'operation':
      return [...fieldsOf(expression.left), ...fieldsOf(expression.right)]
    case 'call':
      return expression.parts.flatMap(fieldsOf)
    default:
      return []
  }
}
