import { KINDS } from '@/lib/kinds/kinds'
import type { Json } from '@/lib/values/json'
import type { Property } from './definition'

/**
 * The values of a property's `enum`, as they are written there and as they are stored and served, so that
 * a record can be sent back as it was read.
 */
export function allowedValues({ kind, type, rules }: Property): Json[] | undefined {
  const { isSpelt, stored } = KINDS[kind]
  const served = isSpelt(type) ? otherForm : stored(type)
  if (!rules.enum || !served) return rules.enum
  return [...new Set(rules.enum.flatMap((value) => [value, served(value) ?? value]))]
}

/** A number may be spelt by a text, where no digit is lost. */
function otherForm(value: Json): Json {
  if (typeof value === 'number') return String(value)
  const number = typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : value
}
