import type { Json } from '@/lib/values/json'

/** A rule as written, and its pointer. */
export type RawRule = { value: Json; pointer: string }

/** A property with `RULE_NAMES` as keys, whichever form it was written in; not checked yet. */
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
  'contentMediaType',
  'group',
  'hint',
  'hidden',
  'numberFormat',
  'unit',
  'indexed',
  'searchable',
  'reference',
  'onDelete',
  'computed',
  'renamedFrom',
] as const
export type RuleName = (typeof RULE_NAMES)[number]
