import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { formOf } from '@/components/kinds/value-forms'
import type { Kind } from '@/lib/kinds/kind'
import { type ExactJson, parseExactJson, plainText } from '@/lib/values/exact-json'

type Meta = Record<string, ExactJson>
/** A field as a schema is written; `meta` has its rules. */
type WrittenField = {
  name: string
  type: string
  label?: string
  renamedFrom?: ExactJson
  meta?: Meta
}
export type WrittenSchema = { name: string; properties: WrittenField[]; [key: string]: ExactJson }

/** A field as it is edited: texts, empty where it has no such rule. */
export type FieldDraft = {
  /** As the schema has it; null: a new one. */
  before: WrittenField | null
  isRemoved: boolean
  name: string
  label: string
  description: string
  type: string
  flags: Record<Flag, boolean>
  limits: Record<Limit, string>
  default: string
  choices: readonly string[]
  /** The entity that it refers to. */
  entity: string
  /** Which of that entity's fields; empty: its key. */
  field: string
  onDelete: string
}

export const FLAGS = ['required', 'unique', 'indexed', 'searchable'] as const
export type Flag = (typeof FLAGS)[number]
export const LIMITS = ['minLength', 'maxLength', 'min', 'max'] as const
export type Limit = (typeof LIMITS)[number]

export const emptyField = (): FieldDraft => draftOf({ name: '', type: 'string' }, null)

export const draftsOf = ({ properties }: WrittenSchema): FieldDraft[] =>
  properties.map((field) => draftOf(field, field))

function draftOf(written: WrittenField, before: WrittenField | null): FieldDraft {
  const { name, type, label = '', meta = {} } = written
  const { toText } = formOf(kindOf(type))
  const textOf = (rule: string) => (meta[rule] == null ? '' : toText(meta[rule]))
  const reference = (meta.reference ?? {}) as Meta
  return {
    ...{ before, isRemoved: false, name, label, type, description: textOf('description') },
    flags: fromList(FLAGS, (flag) => meta[flag] === true),
    limits: fromList(LIMITS, (limit) => plainText(meta[limit] ?? '')),
    default: textOf('default'),
    choices: ((meta.enum ?? []) as ExactJson[]).map(toText),
    entity: plainText(reference.entity ?? ''),
    field: plainText(reference.field ?? ''),
    onDelete: plainText(reference.onDelete ?? ''),
  }
}

const fromList = <K extends string, V>(names: readonly K[], of: (name: K) => V) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<K, V>

/** Of a type of the plugin's own: texts, about which the plan says what is wrong. */
const kindOf = (type: string): Kind =>
  (Object.keys(CONSOLE_KINDS) as Kind[]).find((kind) =>
    CONSOLE_KINDS[kind].types.includes(type.toLowerCase()),
  ) ?? 'text'

/** The schema with the fields as they are edited; whatever is not edited here stays. */
export function editedSchema(schema: WrittenSchema, fields: readonly FieldDraft[]): WrittenSchema {
  const kept = fields.filter(({ isRemoved }) => !isRemoved)
  return { ...schema, properties: kept.map(writtenOf) }
}

/** As the schema had it, where nothing was changed. */
function writtenOf(draft: FieldDraft): WrittenField {
  const { before, name, type, label, description } = draft
  if (before && !isChanged(draft)) return before
  const { meta: former = {}, label: _, ...rest } = before ?? { name, type }
  const { reference } = former
  const meta = {
    ...former,
    description: description.trim() || undefined,
    ...fromList(LIMITS, (limit) => numberOf(draft.limits[limit])),
    ...fromList(FLAGS, (flag) => draft.flags[flag] || undefined),
    default: draft.default === '' ? undefined : typed(draft.default, type),
    enum: draft.choices.length > 0 ? draft.choices.map((one) => typed(one, type)) : undefined,
    reference: draft.entity === '' ? undefined : referenceOf(draft, reference as Meta | undefined),
  }
  const stated = Object.entries(meta).filter(([, value]) => value !== undefined)
  return {
    ...rest,
    ...{ name: name.trim(), type },
    ...(label.trim() === '' ? {} : { label: label.trim() }),
    ...(stated.length > 0 ? { meta: Object.fromEntries(stated) } : {}),
  } as WrittenField
}

function referenceOf({ entity, field, onDelete }: FieldDraft, former: Meta = {}): Meta {
  const { field: _, onDelete: __, with: further, ...rest } = former
  const isSame = plainText(former.entity ?? '') === entity
  return {
    ...(isSame ? { ...rest, ...(further ? { with: further } : {}) } : {}),
    entity,
    ...(field === '' ? {} : { field }),
    ...(onDelete === '' ? {} : { onDelete }),
  } as Meta
}

/** Limits of dates are texts. */
function numberOf(text: string): ExactJson | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? parseExactJson(trimmed) : trimmed
}

/** What is no value of the type stays a text: the plan says what is wrong with it. */
function typed(text: string, type: string): ExactJson {
  const parsed = formOf(kindOf(type)).parse(text)
  return 'value' in parsed ? parsed.value : text
}

export const isChanged = (draft: FieldDraft): boolean => {
  const { before } = draft
  if (!before || draft.isRemoved) return true
  return JSON.stringify({ ...draft, before: null }) !== JSON.stringify({ ...draftOf(before, null) })
}

/** What was edited, in words, a line for each field. */
export function editsOf(fields: readonly FieldDraft[]): string[] {
  return fields.filter(isChanged).map(({ before, isRemoved, name }) => {
    if (!before) return `New field ${name}`
    return `${isRemoved ? 'Remove' : 'Change'} ${before.name}`
  })
}

/** Edits of fields as they were, over the fields as they are now. */
export function rebased(fields: readonly FieldDraft[], schema: WrittenSchema): FieldDraft[] {
  const present = new Map(schema.properties.map((field) => [field.name, field]))
  const kept = fields.flatMap((field): FieldDraft[] => {
    const now = present.get((field.before ?? field).name)
    if (!field.before) return [{ ...field, before: now ?? null }]
    if (!now) return []
    return [{ ...draftOf(now, now), ...editedParts(field, field.before) }]
  })
  const names = new Set(kept.map(({ name }) => name))
  return [...kept, ...draftsOf(schema).filter(({ name }) => !names.has(name))]
}

/** What was edited of a field, part by part. */
function editedParts(field: FieldDraft, before: WrittenField): Partial<FieldDraft> {
  const former = draftOf(before, before)
  const isEdited = (part: keyof FieldDraft) =>
    JSON.stringify(field[part]) !== JSON.stringify(former[part])
  const parts = (Object.keys(former) as (keyof FieldDraft)[]).filter(isEdited)
  return Object.fromEntries(parts.map((part) => [part, field[part]]))
}
