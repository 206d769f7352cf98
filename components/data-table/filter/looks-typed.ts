import { findOperator, findQuantifier, OPERATORS } from '@/lib/definitions/operators'
import type { FilterField } from './field'

const START = /^\s*(?:\??filter=)?(?:"((?:\\.|[^"\\])+)"|([^\s:,&"]+)):([a-z]+)(:|\s*$|[\s,&])/i

/** Whether a text begins as a condition does, `field:operator:value`: it names an operator, or a field before two colons. */
export function looksTyped(text: string, fields: readonly FilterField[]): boolean {
  if (fields.length === 0) return false
  const [, quoted, plain = '', operator = '', end] = START.exec(text) ?? []
  if (end === undefined) return false
  const known = findOperator(operator)
  if (known) return end === ':' || OPERATORS[known].arity === 'none'
  if (findQuantifier(operator)) return end !== ':'
  const name = (quoted ?? plain).toLowerCase()
  return end === ':' && fields.some((field) => field.name.toLowerCase() === name)
}
