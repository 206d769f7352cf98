import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import type { FieldDisplay } from '@/lib/definitions/display'
import type { Kind } from '@/lib/kinds/kind'
import { plainText } from '@/lib/values/exact-json'
import { formatNumber } from './format-number'

export type ValueField = {
  name: string
  kind: Kind
  key?: boolean
  /** How people see its values, as its definition says. */
  display?: Pick<FieldDisplay, 'choices' | 'format' | 'unit'>
}
/** `timeZone`: without one, the reader's; see `useTimeZone`. */
type Options = { timeZone?: string }

/**
 * A value in words: choices by their labels, numbers with their digits in groups and their unit, times in a zone,
 * `Yes` and `No`. Nothing is rounded but by the definition. What does not fit its field, such as `$now(-7d)`, stays as it is.
 */
export function formatValue(value: unknown, field: ValueField, options?: Options): string {
  const { unit } = field.display ?? {}
  const text = formatBare(value, field, options)
  return unit && /\d/.test(text) ? `${text} ${unit}` : text
}

/** The same without the unit. */
export function formatBare(value: unknown, field: ValueField, options?: Options): string {
  const text = plainText(value)
  const { choices, format } = field.display ?? {}
  const label = choices?.find((choice) => plainText(choice.value) === text)?.label
  if (label) return label
  if (format) return formatNumber(text, format)
  return CONSOLE_KINDS[field.kind].format(text, { isNumbering: isNumbering(field), ...options })
}

/** Names that number things rather than count them: no groups of digits in those. */
const NUMBERING = /(^|[^a-z])(id|no|nr|num|number|code|zip|year|postcode|phone|port|version)$/

const isNumbering = ({ name, key }: ValueField): boolean =>
  key === true || NUMBERING.test(name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase())
