import type { Json } from '@/lib/values/json'

/** A rule as it was written, and where. */
export type RawRule = { value: Json; pointer: string }

/** A property in the words of `RULE_NAMES`, whichever form it was written in; nothing is checked yet. */
export type RawProperty = {
  name: string
  pointer: string
  type: string
  label?: string
  rules: Map<string, RawRule>
}

export const RULE_NAMES = [
  'description',
  'example',
  'examples',
  'required',
  'unique',
  'default',
  'length',
  'minLength',
  'maxLength',
  'min',
  'max',
  'pattern',
  'enum',
  'format',
  'indexed',
  'searchable',
  'reference',
] as const
export type RuleName = (typeof RULE_NAMES)[number]
