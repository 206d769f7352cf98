import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { formOf } from '@/components/kinds/value-forms'
import { isJsonKind, isNumberKind, isTextKind, type Kind } from '@/lib/kinds/kind'
import { plainText } from '@/lib/values/exact-json'
import { type DisplayDraft, displayDraftOf, membersOf } from './display-draft'
import { isSame, type Meta, type WrittenField, type WrittenSchema } from './written'

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
  /** Of text search in the field; without a weight there is none. */
  textSearch: { weight: string; language: string }
  limits: Record<Limit, string>
  texts: Record<TextRule, string>
  default: string
  example: string
  choices: readonly string[]
  display: DisplayDraft
  /** The entity that it refers to. */
  entity: string
  /** Which of that entity's fields. */
  field: string
  /** Further fields that identify the record: those of the entity, each with the own one. */
  further: Readonly<Record<string, string>>
  onDelete: string
}

export const FLAGS = ['required', 'unique', 'indexed', 'searchable'] as const
export type Flag = (typeof FLAGS)[number]
export const LIMITS = ['minLength', 'maxLength', 'min', 'max'] as const
export type Limit = (typeof LIMITS)[number]
const TEXT_RULES = ['pattern', 'format', 'contentMediaType', 'computed'] as const
export type TextRule = (typeof TEXT_RULES)[number]

const isObject = (rule: unknown) => typeof rule === 'object' && rule !== null

export const emptyField = (): FieldDraft => draftOf({ name: '', type: 'string' }, null)

export const draftsOf = ({ properties }: Pick<WrittenSchema, 'properties'>): FieldDraft[] =>
  properties.map((field) => draftOf(field, field))

export function draftOf(written: WrittenField, before: WrittenField | null): FieldDraft {
  const { name, type, label = '', meta = {} } = written
  const { toText } = formOf(kindOf(type))
  const textOf = (rule: string) => (meta[rule] == null ? '' : toText(meta[rule]))
  const reference = (meta.reference ?? {}) as Meta
  const members = membersOf(meta, isJsonKind(kindOf(type)), toText)
  const found = (isObject(meta.searchable) ? meta.searchable : {}) as Meta
  const own = Object.entries((reference.with ?? {}) as Record<string, string>)
  return {
    ...{ before, isRemoved: false, name, label, type, description: textOf('description') },
    flags: fromList(FLAGS, (flag) => meta[flag] === true || isObject(meta[flag])),
    textSearch: {
      weight: plainText(found.weight ?? ''),
      language: plainText(found.language ?? 'simple'),
    },
    limits: fromList(LIMITS, (limit) => plainText(meta[limit] ?? '')),
    texts: fromList(TEXT_RULES, (rule) => plainText(meta[rule] ?? '')),
    default: textOf('default'),
    example: textOf('example'),
    choices: members.map(({ text }) => text),
    display: displayDraftOf(meta, members),
    entity: plainText(reference.entity ?? ''),
    field: plainText(reference.field ?? ''),
    further: Object.fromEntries(own.map(([from, to]) => [to, from])),
    onDelete: plainText(reference.onDelete ?? ''),
  }
}

export const fromList = <K extends string, V>(names: readonly K[], of: (name: K) => V) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<K, V>

/** Null: a type of the plugin's own, which may have any rules. */
const knownKind = (type: string): Kind | null =>
  (Object.keys(CONSOLE_KINDS) as Kind[]).find((kind) =>
    CONSOLE_KINDS[kind].types.includes(type.toLowerCase()),
  ) ?? null

/** Of a type of the plugin's own: texts, about which the plan says what is wrong. */
export const kindOf = (type: string): Kind => knownKind(type) ?? 'text'

/** Which rules make sense for a field of the type; all of them for a type of the plugin's own. */
export function rulesFor(type: string) {
  const kind = knownKind(type)
  return { text: kind === null || isTextKind(kind), number: kind === null || isNumberKind(kind) }
}

export const isChanged = (draft: FieldDraft): boolean => {
  const { before } = draft
  if (!before || draft.isRemoved) return true
  return !isSame({ ...draft, before: null }, draftOf(before, null))
}
