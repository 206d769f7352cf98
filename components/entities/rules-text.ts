import { type ExactJson, exactJsonText, plainText } from '@/lib/values/exact-json'
import type { ColumnDescription } from './types'

type Described = Pick<ColumnDescription, 'rules' | 'display'>

/** A field's rules in words, and what people see of it, one each. */
export function rulesOf({ rules, display = {} }: Described): string[] {
  const {
    required,
    unique,
    indexed,
    searchable,
    textSearch,
    format,
    pattern,
    default: initial,
  } = rules
  const texts = [
    required && 'required',
    unique && 'unique',
    indexed && !unique && 'indexed',
    textSearch
      ? `text search ${textSearch.weight}, ${textSearch.language}`
      : searchable && 'searchable',
    format,
    ...limitsOf(rules),
    rules.enum && `one of ${rules.enum.map((one) => choiceText(one, display)).join(', ')}`,
    pattern && `like ${pattern}`,
    rules.computed !== undefined && `computed: ${rules.computed}`,
    initial !== undefined && `default ${MADE[rules.generates ?? ''] ?? exactJsonText(initial)}`,
    display.unit && `in ${display.unit}`,
    display.group && `group ${display.group}`,
    display.hidden && 'hidden in lists',
  ]
  return texts.filter((text): text is string => Boolean(text))
}

/** A value, and what people see in its place. */
function choiceText(value: ExactJson, { choices }: NonNullable<Described['display']>): string {
  const text = plainText(value)
  const label = choices?.find((choice) => plainText(choice.value) === text)?.label
  return label ? `${text} (${label})` : text
}

const MADE: Record<string, string> = { now: 'the present time', uuid: 'a new UUID' }

/** The rules of a value that matter while it is typed. */
export function hintsOf({ rules }: Pick<ColumnDescription, 'rules'>): string {
  const texts = [
    ...limitsOf(rules),
    rules.unique && 'unique',
    rules.pattern && `like ${rules.pattern}`,
  ]
  return texts.filter(Boolean).join(', ')
}

function limitsOf({
  min,
  max,
  minLength,
  maxLength,
  length,
}: ColumnDescription['rules']): string[] {
  const size = range(minLength, maxLength)
  return [
    range(min, max),
    length === undefined ? null : `exactly ${length} characters`,
    size && `${size} characters`,
  ].filter((text): text is string => text !== null)
}

function range(low?: number, high?: number): string | null {
  if (low !== undefined && high !== undefined) return `${low} to ${high}`
  if (low !== undefined) return `at least ${low}`
  return high === undefined ? null : `at most ${high}`
}
