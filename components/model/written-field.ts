import { formOf } from '@/components/kinds/value-forms'
import { isJsonKind } from '@/lib/kinds/kind'
import { type ExactJson, parseExactJson, plainText } from '@/lib/values/exact-json'
import { choiceOf, displayRulesOf, membersOf } from './display-draft'
import {
  type FieldDraft,
  FLAGS,
  fromList,
  isChanged,
  kindOf,
  rulesFor,
  type TextRule,
} from './field-draft'
import { type Meta, stated, type WrittenField } from './written'

/** The fields as a schema has them, as they are edited; whatever is not edited here stays. */
export const editedFields = (fields: readonly FieldDraft[]): WrittenField[] =>
  fields.filter(({ isRemoved }) => !isRemoved).map(writtenOf)

/** As the schema had it, where nothing was changed. */
function writtenOf(draft: FieldDraft): WrittenField {
  const { before, name, type, label, description } = draft
  if (before && !isChanged(draft)) return before
  const { meta: former = {}, label: _, ...rest } = before ?? { name, type }
  const rules = stated({
    ...former,
    description: description.trim() || undefined,
    ...rulesOf(draft, former),
  })
  return {
    ...rest,
    ...{ name: name.trim(), type },
    ...(label.trim() === '' ? {} : { label: label.trim() }),
    ...(Object.keys(rules).length > 0 ? { meta: rules } : {}),
  } as WrittenField
}

/** What a definition has already is not taken away, but by a change of its type. */
const ANY = { text: true, number: true }

const NO_VALUES = {
  ...{ required: undefined, minLength: undefined, maxLength: undefined },
  ...{ min: undefined, max: undefined, pattern: undefined, contentMediaType: undefined },
  ...{ default: undefined, example: undefined, enum: undefined, reference: undefined },
}

/** The rules that the type can have; of a computed field those that are not about values that are brought. */
function rulesOf(draft: FieldDraft, former: Meta) {
  const { before, type, flags, limits, texts, choices, entity, textSearch } = draft
  const isFor = before?.type === type ? ANY : rulesFor(type)
  const { toText } = formOf(kindOf(type))
  const members = membersOf(former, isJsonKind(kindOf(before?.type ?? type)), toText)
  const textOf = (rule: TextRule) => texts[rule].trim() || undefined
  const ruleOf = (rule: 'default' | 'example') => {
    if (draft[rule] === '') return undefined
    // Of a type of the plugin's own, only what is written tells whether it is a text.
    const isSame =
      before?.type === type && former[rule] != null && draft[rule] === toText(former[rule])
    return isSame ? former[rule] : typed(draft[rule], type)
  }
  const choice = (text: string) => choiceOf(text, typed(text, type), draft.display, members)
  const rules = {
    minLength: isFor.text ? numberOf(limits.minLength) : undefined,
    maxLength: isFor.text ? numberOf(limits.maxLength) : undefined,
    min: isFor.number ? numberOf(limits.min) : undefined,
    max: isFor.number ? numberOf(limits.max) : undefined,
    ...fromList(FLAGS, (flag) => flags[flag] || undefined),
    ...(isFor.text && flags.searchable && textSearch.weight ? { searchable: textSearch } : {}),
    pattern: isFor.text ? texts.pattern || undefined : undefined,
    format: isFor.text ? textOf('format') : undefined,
    contentMediaType: isFor.text ? textOf('contentMediaType') : undefined,
    computed: textOf('computed'),
    default: ruleOf('default'),
    example: ruleOf('example'),
    enum: choices.length > 0 ? choices.map(choice) : undefined,
    reference: entity === '' ? undefined : referenceOf(draft, former.reference as Meta | undefined),
    ...displayRulesOf(draft.display, former, isFor.number),
  }
  return rules.computed === undefined ? rules : { ...rules, ...NO_VALUES }
}

function referenceOf({ entity, field, further, onDelete }: FieldDraft, former: Meta = {}): Meta {
  const { field: _, onDelete: __, with: ___, ...rest } = former
  const isKept = plainText(former.entity ?? '') === entity
  const pairs = Object.entries(further).filter(([, own]) => own !== '')
  return {
    ...(isKept ? rest : {}),
    ...{ entity, field },
    ...(pairs.length > 0 ? { with: Object.fromEntries(pairs.map(([to, own]) => [own, to])) } : {}),
    ...(onDelete === '' ? {} : { onDelete }),
  } as Meta
}

/** What is no number stays a text: the plan says what is wrong with it. */
function numberOf(text: string): ExactJson | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? parseExactJson(trimmed) : trimmed
}

/** What is no value of the type stays a text, as do words such as `now`: the plan says what is wrong with it. */
function typed(text: string, type: string): ExactJson {
  if (MADE.includes(text)) return text
  const parsed = formOf(kindOf(type)).parse(text)
  return 'value' in parsed ? parsed.value : text
}

/** Defaults that are made for each record. */
const MADE = ['now', 'uuid']
