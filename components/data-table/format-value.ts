import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import type { Kind } from '@/lib/kinds/kind'
import { plainText } from '@/lib/values/exact-json'

export type ValueField = { name: string; kind: Kind; key?: boolean }
/** `timeZone`: without one, the reader's; see `useTimeZone`. */
type Options = { timeZone?: string }

/**
 * A value in words: numbers with their digits in groups, times in a zone, `Yes` and `No`. Nothing is rounded.
 * What does not fit its field, such as `$now(-7d)`, stays as it is.
 */
export function formatValue(value: unknown, field: ValueField, options: Options = {}): string {
  return CONSOLE_KINDS[field.kind].format(plainText(value), {
    isNumbering: isNumbering(field),
    ...options,
  })
}

/** Names that number things rather than count them: no groups of digits in those. */
const NUMBERING = /(^|[^a-z])(id|no|nr|num|number|code|zip|year|postcode|phone|port|version)$/

const isNumbering = ({ name, key }: ValueField): boolean =>
  key === true || NUMBERING.test(name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase())
