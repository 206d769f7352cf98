import { isDeepStrictEqual } from 'node:util'
import type { Property } from '@/lib/definitions/definition'
import type { Choice } from '@/lib/definitions/display'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import type { Types } from '@/lib/definitions/resolve-type'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { ordered, plain } from './ordered'

/** By its type without the rules that are that one's; with all rules where it lacks one of these, or has no type of `types`. */
export function writtenProperty(property: Property, types: Types): JsonObject {
  const { name, type, ofType } = property
  const whole = propertyJson(property)
  if (ofType === undefined) return whole
  const bare = parseSchemaDefinition({ name, properties: [{ name, type: ofType }] }, types)
  const [typed] = 'definition' in bare ? bare.definition.properties : []
  if (typed?.ofType !== ofType || typed.type !== type) return whole
  const [shared, rules] = [metaOf(propertyJson(typed)), metaOf(whole)]
  const isLost = (rule: string) => !Object.hasOwn(rules, rule) && rule !== 'example'
  const lost = Object.keys(shared).filter(isLost)
  if (lost.some((rule) => !Object.hasOwn(UNSET, rule))) return whole
  const own = Object.entries(rules).filter(
    ([rule, value]) => !isDeepStrictEqual(value, shared[rule]),
  )
  const meta = Object.fromEntries([...own, ...lost.map((rule) => [rule, UNSET[rule]])])
  const { meta: _, ...rest } = whole
  return { ...rest, type: ofType, ...(Object.keys(meta).length > 0 ? { meta } : {}) }
}

/** How a field says that it has not the rule of its type. */
const UNSET: JsonObject = {
  ...{ required: false, unique: false, indexed: false, searchable: false },
  ...{ minLength: 0, maxLength: 0 },
}

const metaOf = ({ meta }: JsonObject): JsonObject => (isObject(meta) ? meta : {})

/** Rules that are false unless they are stated. */
const FLAGS = ['required', 'unique', 'indexed', 'searchable']

const RULES = [
  'description',
  'example',
  'required',
  'unique',
  'indexed',
  'searchable',
  'default',
  'minLength',
  'maxLength',
  'min',
  'max',
  'pattern',
  'format',
  'contentMediaType',
  'enum',
  'group',
  'hint',
  'hidden',
  'numberFormat',
  'unit',
  'reference',
]

function propertyJson(property: Property): JsonObject {
  const {
    name,
    type,
    kind: _,
    ofType: _ofType,
    label,
    description,
    example,
    display = {},
    rules,
    ...rest
  } = property
  // `generates` is read from the default.
  const { generates: _made, textSearch, ...others } = rules
  const written = textSearch ? { ...others, searchable: textSearch } : others
  const stated = Object.entries(written).filter(
    ([rule, value]) => value !== false || !FLAGS.includes(rule),
  )
  const { choices = [], format, ...shown } = display
  const members = written.enum?.map((value) => choiceOf(value, choices))
  const meta = ordered(
    {
      ...{ description, example },
      ...Object.fromEntries(stated),
      ...(members ? { enum: members } : {}),
      ...shown,
      ...(format ? { numberFormat: ordered(format, ['style', 'currency', 'decimals']) } : {}),
    },
    RULES,
  )
  const isEmpty = Object.keys(meta).length === 0
  return plain({ name, type, label, ...rest, ...(isEmpty ? {} : { meta }) })
}

/** A value of `enum` by itself, or with what is shown of it. */
function choiceOf(value: Json, choices: readonly Choice[]): Json {
  const choice = choices.find((one) => one.value === value)
  return choice ? ordered(choice, ['value', 'label', 'color']) : value
}
