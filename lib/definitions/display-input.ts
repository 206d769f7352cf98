import { z } from 'zod'
import { isObject, type Json } from '@/lib/values/json'
import { suggestion } from '@/lib/values/nearest'
import { check, type FileDetail, fault } from './definition-faults'
import { type Choice, COLORS, type FieldDisplay, NUMBER_STYLES } from './display'
import { DISPLAYS } from './display-forms'

const MAX_TEXT = 255

const text = z
  .string()
  .min(1, 'Must not be empty')
  .max(MAX_TEXT, `May have at most ${MAX_TEXT} characters`)

/** One of `values`; the fault names the nearest one. */
const oneOf = <const T extends string>(noun: string, values: readonly T[]) =>
  z.enum(values, {
    error: ({ input }) => {
      if (typeof input !== 'string') return undefined
      return `There is no ${noun} "${input.slice(0, 50)}"${suggestion(input, values) || `; use ${values.join(', ')}`}`
    },
  })

/** A value of `enum` with what people see of it, as written. */
export const choiceInput = z.looseObject({
  value: z.json(),
  label: text.nullish(),
  color: oneOf('colour', COLORS).nullish(),
})

export const numberFormatInput = z
  .object({
    style: oneOf('style', NUMBER_STYLES).nullish(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'Must be a code of ISO 4217, such as EUR')
      .nullish(),
    decimals: z
      .int('Must be a whole number')
      .min(0, 'Must be at least 0')
      .max(20, 'Must be at most 20')
      .nullish(),
    grouping: z.boolean().nullish(),
  })
  .superRefine(({ style, currency }, context) => {
    const isMoney = style === 'currency' || (style == null && currency != null)
    if (isMoney && currency == null)
      context.addIssue({
        code: 'custom',
        path: ['currency'],
        message: 'Is missing; it must be a code of ISO 4217, such as EUR',
      })
    if (!isMoney && currency != null)
      context.addIssue({
        code: 'custom',
        path: ['currency'],
        message: `Applies to the style currency only, not to ${style}`,
      })
  })

/** How an entity says that its records are shown, as written. */
export const entityDisplayInput = z.object({
  title: text.nullish(),
  columns: z
    .array(text)
    .min(1, 'Must name at least one field')
    .max(50, 'May name at most 50 fields')
    .nullish(),
  form: oneOf('form', DISPLAYS).nullish(),
  image: text.nullish(),
  date: text.nullish(),
  place: text.nullish(),
  latitude: text.nullish(),
  longitude: text.nullish(),
})

/** The rules of a property that are about what people see. */
export const DISPLAY_RULES = {
  group: text,
  hint: text,
  hidden: z.object({ list: z.boolean().nullish() }),
  numberFormat: numberFormatInput,
  unit: text.max(40, 'May have at most 40 characters'),
}

type DisplayFound = { [K in keyof typeof DISPLAY_RULES]?: z.infer<(typeof DISPLAY_RULES)[K]> }

/** What is shown of a property; undefined where its definition says nothing of it. */
export function toFieldDisplay(
  { group, hint, hidden, numberFormat, unit }: DisplayFound,
  choices: Choice[],
): FieldDisplay | undefined {
  const format = numberFormat && toFormat(numberFormat)
  const display: FieldDisplay = {
    ...(choices.length > 0 ? { choices } : {}),
    ...(group ? { group } : {}),
    ...(hint ? { hint } : {}),
    ...(hidden?.list ? { hidden: { list: true } } : {}),
    ...(format ? { format } : {}),
    ...(unit ? { unit } : {}),
  }
  return Object.keys(display).length > 0 ? display : undefined
}

function toFormat({ style, currency, decimals, grouping }: z.infer<typeof numberFormatInput>) {
  const named = currency == null ? (style === 'decimal' ? null : style) : 'currency'
  const format = {
    ...(named ? { style: named } : {}),
    ...(currency == null ? {} : { currency }),
    ...(decimals == null ? {} : { decimals }),
    ...(grouping === false ? { grouping } : {}),
  }
  return Object.keys(format).length > 0 ? format : null
}

/** The members of an `enum` by their values, and those with a label or a colour. Objects in it are choices. */
export function readChoices(
  members: readonly Json[],
  pointer: string,
  faults: FileDetail[],
): { values: Json[]; choices: Choice[] } {
  const choices: Choice[] = []
  const values = members.map((member, index) => {
    if (!isObject(member)) return member
    const found = check(choiceInput, member)
    if ('faults' in found) {
      faults.push(
        ...found.faults.map((one) => ({ ...one, pointer: `${pointer}/${index}${one.pointer}` })),
      )
      return null
    }
    const { value, label, color } = found.data
    const shown = { ...(label ? { label } : {}), ...(color ? { color } : {}) }
    // Null is no value.
    if (value !== null && Object.keys(shown).length > 0)
      choices.push({ value: value as Json, ...shown })
    return value as Json
  })
  for (const [index, value] of values.entries()) {
    const isTwice = values.indexOf(value) < index && [members[index]].some(isObject)
    if (isTwice && value !== null)
      faults.push(fault(`${pointer}/${index}/value`, 'Is listed twice', value))
  }
  return { values, choices }
}
