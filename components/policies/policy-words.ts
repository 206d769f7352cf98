import { describe, type FilterField, ME } from '@/components/data-table/filter/field'
import { formatValue } from '@/components/data-table/format-value'
import type { FieldList } from '@/lib/auth/rights'
import { isTextKind } from '@/lib/kinds/kind'
import type { Policy } from './policy-queries'

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

/** Conditions of a policy in words; it is about whoever asks, who is not the reader. */
export const conditionWords = (
  conditions: NonNullable<Policy['where']>,
  fields: readonly FilterField[],
): string[] => conditions.map((each) => personWords(describe(each, fields.map(ofPerson))))

const ofPerson = (field: FilterField): FilterField =>
  isTextKind(field.kind) && !field.titles
    ? { ...field, words: (text) => (text === ME ? 'the person’s id' : text) }
    : field

const personWords = (text: string) =>
  text.replace(/\$me\.profile\.([\w.-]+)/g, '“$1” of the person’s profile')

/** `All but Margin`, `Total and Status`. */
export function fieldWords(
  list: FieldList | null | undefined,
  labelOf: (name: string) => string,
): string {
  if (!list) return 'All'
  const names = 'except' in list ? list.except : list
  if (names.length === 0) return 'except' in list ? 'All' : 'None but the key'
  const named = LIST.format(names.map(labelOf))
  return 'except' in list ? `All but ${named}` : named
}

/** `Owner = the person’s id` */
export const valueWords = (
  set: NonNullable<Policy['set']>,
  fields: readonly FilterField[],
): string[] =>
  Object.entries(set).map(([name, value]) => {
    const field = fields.find((each) => each.name === name)
    const text = formatValue(value, field ?? { name, kind: 'text' })
    return `${field?.label ?? name} = ${text === ME ? 'the person’s id' : personWords(text)}`
  })
