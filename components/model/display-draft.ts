import { type ExactJson, isNested, plainText } from '@/lib/values/exact-json'
import { type Meta, stated } from './written'

/** What people see of a field, as it is edited: texts, empty where the definition says nothing. */
export type DisplayDraft = {
  /** Of choices, by the texts of their values; without empty ones, in the order of these texts. */
  labels: Readonly<Record<string, string>>
  colors: Readonly<Record<string, string>>
  group: string
  hint: string
  unit: string
  isHidden: boolean
  /** Of numbers. */
  style: string
  currency: string
  decimals: string
  isUngrouped: boolean
}

type ToText = (value: ExactJson) => string

export function displayDraftOf(meta: Meta, choices: readonly Member[]): DisplayDraft {
  const format = objectOf(meta.numberFormat)
  const textOf = (value: ExactJson | undefined) => plainText(value ?? '')
  const of = (part: 'label' | 'color') =>
    texts(choices.map(({ text, written }) => [text, textOf(written?.[part])]))
  const { style = format.currency === undefined ? '' : 'currency' } = format
  return {
    ...{ labels: of('label'), colors: of('color') },
    ...{ group: textOf(meta.group), hint: textOf(meta.hint), unit: textOf(meta.unit) },
    isHidden: objectOf(meta.hidden).list === true,
    style: textOf(style),
    currency: textOf(format.currency),
    decimals: textOf(format.decimals),
    isUngrouped: format.grouping === false,
  }
}

/** Without empty ones, so that what is emptied again is as it was. */
export const texts = (entries: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(
    entries.filter(([, text]) => text.trim() !== '').sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** A value of `enum` by its text; `written`: where it is an object with more than the value. */
export type Member = { text: string; written: Meta | null }

/** Of a field that holds JSON, objects are values. */
export const membersOf = (meta: Meta, isJson: boolean, toText: ToText): Member[] =>
  ((meta.enum ?? []) as ExactJson[]).map((member) => {
    const written = !isJson && isNested(member) && !Array.isArray(member) ? (member as Meta) : null
    return { text: toText(written ? (written.value ?? null) : member), written }
  })

/** A choice as the schema has it: the value alone, where nothing is said of it. */
export function choiceOf(
  text: string,
  value: ExactJson,
  { labels, colors }: DisplayDraft,
  former: readonly Member[],
): ExactJson {
  const { value: _, label: __, color: ___, ...rest } = of(text, former) ?? {}
  const said = stated({
    label: labels[text]?.trim() || undefined,
    color: colors[text] || undefined,
  })
  const isBare = Object.keys({ ...rest, ...said }).length === 0
  return isBare ? value : ({ value, ...said, ...rest } as ExactJson)
}

const of = (text: string, members: readonly Member[]) =>
  members.find((member) => member.text === text)?.written

/** The rules about what people see. */
export function displayRulesOf(
  { group, hint, unit, isHidden, ...number }: DisplayDraft,
  former: Meta,
  isNumber: boolean,
): Record<'group' | 'hint' | 'unit' | 'hidden' | 'numberFormat', ExactJson | undefined> {
  const hidden = { ...objectOf(former.hidden), list: isHidden || undefined }
  return {
    group: group.trim() || undefined,
    hint: hint.trim() || undefined,
    unit: (isNumber && unit.trim()) || undefined,
    hidden: objectIn(hidden),
    numberFormat: isNumber ? formatOf(number, objectOf(former.numberFormat)) : undefined,
  }
}

type NumberDraft = Pick<DisplayDraft, 'style' | 'currency' | 'decimals' | 'isUngrouped'>

/** What is no number of digits stays a text: the plan says what is wrong with it. */
function formatOf({ style, currency, decimals, isUngrouped }: NumberDraft, former: Meta) {
  const digits = decimals.trim()
  // A currency by itself says the style.
  const isSaid = style === 'currency' && former.currency !== undefined && !former.style
  return objectIn({
    ...former,
    style: isSaid ? undefined : style || undefined,
    currency: (style === 'currency' && currency.trim().toUpperCase()) || undefined,
    decimals: digits === '' ? undefined : /^\d+$/.test(digits) ? Number(digits) : digits,
    grouping: isUngrouped ? false : undefined,
  })
}

const objectOf = (value: ExactJson | undefined): Meta =>
  isNested(value) && !Array.isArray(value) ? (value as Meta) : {}

/** Without the keys that have no value; undefined where none is left. */
function objectIn(value: Record<string, ExactJson | undefined>): ExactJson | undefined {
  const left = stated(value)
  return Object.keys(left).length > 0 ? (left as ExactJson) : undefined
}
