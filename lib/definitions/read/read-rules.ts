import { z } from 'zod'
import {
  type FieldReference,
  ON_DELETE,
  type OnDelete,
  type Rules,
} from '@/lib/definitions/definition'
import { check, type FileDetail, fault } from '@/lib/definitions/definition-faults'
import type { Choice } from '@/lib/definitions/display'
import { choiceInput, DISPLAY_RULES, readChoices } from '@/lib/definitions/display-input'
import { formerNames, word } from '@/lib/definitions/entity-input'
import { propertyNameFault } from '@/lib/definitions/names'
import { textPattern } from '@/lib/definitions/text-pattern'
import { LANGUAGES, type TextSearch, WEIGHTS } from '@/lib/definitions/text-search'
import { isJsonKind, isNumberKind, isPlaceKind, isTextKind, type Kind } from '@/lib/kinds/kind'
import { isObject, type Json } from '@/lib/values/json'
import type { RawRule, RuleName } from './raw-property'

const length = z.number().int().min(-1)
const onDelete = word(...ON_DELETE)
/** What each rule of a property takes. */
export const RULE_SCHEMAS = {
  description: z.string(),
  example: z.json(),
  examples: z.json(),
  required: z.boolean(),
  unique: z.boolean(),
  indexed: z.boolean(),
  searchable: z.union(
    [
      z.boolean(),
      z.strictObject({ weight: z.enum(WEIGHTS), language: z.enum(LANGUAGES).default('simple') }),
    ],
    `Must be true, false, or { "weight", "language" }: one of ${WEIGHTS.join(', ')}, and one of ${LANGUAGES.join(', ')}`,
  ),
  default: z.json(),
  length,
  minLength: length,
  maxLength: length,
  min: z.number(),
  max: z.number(),
  pattern: z.string().max(1_000, { abort: true }).superRefine(requirePattern),
  // Of fields that hold JSON, objects are values like others.
  enum: z
    .array(z.union([choiceInput, z.json()]))
    .min(1, 'Must contain at least one value')
    .max(10_000),
  format: z.enum(['email', 'url', 'uuid', 'phone']),
  contentMediaType: z.string().max(255),
  ...DISPLAY_RULES,
  renamedFrom: formerNames,
  onDelete,
  computed: z.string().min(1).max(1_000),
  reference: z.object({
    entity: z.string().min(1),
    field: z.string().min(1),
    with: z
      .record(z.string(), z.string().min(1))
      .refine((fields) => Object.keys(fields).length < 16, 'Must name at most 15 further fields')
      .nullish(),
    onDelete: onDelete.nullish(),
    inverse: z.string().superRefine(requireName).nullish(),
  }),
} satisfies Record<RuleName, z.ZodType>

type RulesFound = { [K in RuleName]?: z.infer<(typeof RULE_SCHEMAS)[K]> }

type Documented = {
  description?: string
  example?: Json
  examples?: Json
  renamedFrom?: string | string[]
  choices: Choice[]
} & Pick<RulesFound, keyof typeof DISPLAY_RULES>

/** Reads rules for values of `kind`; unset lengths (0, −1) are left out, `length` is a `maxLength`. */
export function readRules(
  raw: ReadonlyMap<string, RawRule>,
  kind: Kind,
  faults: FileDetail[],
): Rules & Documented {
  const found: RulesFound = {}
  for (const name of Object.keys(RULE_SCHEMAS) as RuleName[]) {
    const rule = raw.get(name)
    if (rule && !isDropped(name, kind, rule.value)) read(found, name, rule, kind, faults)
  }
  const { required = false, unique = false, indexed = false, searchable = false } = found
  const { length: size, maxLength = size, minLength, enum: values, ...others } = found
  const { reference, onDelete: beside, ...rest } = others
  const { values: allowed, choices } = choicesOf(values as Json[] | undefined, raw, kind, faults)
  const longest = size === undefined ? maxLength : Math.min(size, maxLength ?? size)
  return {
    ...rest,
    required,
    unique,
    indexed,
    ...textSearchOf(searchable),
    ...(minLength === undefined ? {} : { minLength }),
    ...(longest === undefined ? {} : { maxLength: longest }),
    ...(reference ? { reference: toReference(reference, beside) } : {}),
    ...(allowed ? { enum: allowed.filter((value) => value !== null) } : {}),
    choices,
  }
}

/** Text search in a field also finds parts of its texts fast. */
const textSearchOf = (rule: boolean | TextSearch): Pick<Rules, 'searchable' | 'textSearch'> =>
  typeof rule === 'boolean' ? { searchable: rule } : { searchable: true, textSearch: rule }

function choicesOf(
  values: Json[] | undefined,
  raw: ReadonlyMap<string, RawRule>,
  kind: Kind,
  faults: FileDetail[],
): { values: Json[] | undefined; choices: Choice[] } {
  if (!values || isJsonKind(kind)) return { values, choices: [] }
  return readChoices(values, raw.get('enum')?.pointer ?? '', faults)
}

/** `onDelete` may also stand beside the reference. */
function toReference(
  { entity, field, with: further, onDelete, inverse }: NonNullable<RulesFound['reference']>,
  beside: OnDelete = 'restrict',
): FieldReference {
  const action = onDelete ?? beside
  return {
    entity,
    field,
    ...(further && Object.keys(further).length > 0 ? { with: further } : {}),
    ...(action === 'restrict' ? {} : { onDelete: action }),
    ...(inverse ? { inverse } : {}),
  }
}

const TEXT_RULES: readonly string[] = ['minLength', 'maxLength', 'pattern', 'format']
const NUMBER_RULES: readonly string[] = ['min', 'max', 'numberFormat', 'unit']

// In SQL tradition, `length` of a number is a display width.
function isDropped(name: RuleName, kind: Kind, value: Json): boolean {
  if (name === 'length' && !isTextKind(kind)) return true
  // In JSON Schema it says something about texts, wherever it stands.
  if (name === 'contentMediaType' && !isTextKind(kind)) return true
  const isLength = name === 'length' || name === 'minLength' || name === 'maxLength'
  return isLength && (value === 0 || value === -1)
}

function read(
  found: RulesFound,
  name: RuleName,
  { value, pointer }: RawRule,
  kind: Kind,
  faults: FileDetail[],
): void {
  const misplaced = misplacedRule(name, kind, value)
  if (misplaced) faults.push(fault(pointer, misplaced, value))
  const result = check<unknown>(RULE_SCHEMAS[name], value)
  if ('faults' in result)
    faults.push(...result.faults.map((one) => ({ ...one, pointer: pointer + one.pointer })))
  else Object.assign(found, { [name]: result.data })
}

function misplacedRule(name: RuleName, kind: Kind, value: Json): string | null {
  if (TEXT_RULES.includes(name) && !isTextKind(kind)) return `Applies to text only, not to ${kind}`
  if (NUMBER_RULES.includes(name) && !isNumberKind(kind))
    return `Applies to numbers only, not to ${kind}${isTextKind(kind) && name.startsWith('m') ? `; use ${name}Length` : ''}`
  if (name === 'searchable' && isObject(value) && !isTextKind(kind))
    return `Text search looks in texts only, not in ${kind}; use true`
  if (name === 'searchable' && value !== false && isPlaceKind(kind))
    return 'A location has no words; "indexed": true serves the conditions near and within'
  const needsScalar = name === 'unique' || name === 'reference'
  return needsScalar && isJsonKind(kind) ? `Is not allowed for the type ${kind}` : null
}

function requireName(name: string, context: z.RefinementCtx): void {
  const reason = propertyNameFault(name)
  if (reason) context.addIssue({ code: 'custom', message: `Is no name: ${reason}` })
}

function requirePattern(pattern: string, context: z.RefinementCtx): void {
  try {
    textPattern(pattern)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    context.addIssue({
      code: 'custom',
      message: `Is not a valid RE2 pattern: ${reason}`,
    })
  }
}
