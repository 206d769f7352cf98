import { type SQL, sql } from 'drizzle-orm'
import { canonicalNumber } from '@/lib/values/canonical-number'
import type { Json } from '@/lib/values/json'
import { isNumericText } from '@/lib/values/numeric-text'
import { asStored, castTo, type FieldKind, type Limits, textOf } from './field-kind'

/** What the kinds of numbers have in common. */
export const numbers = (column: (type: string) => string) =>
  ({
    jsonSchemaFormats: {},
    keyStrategies: ['AutoIncrement', 'Fixed'],
    isParsed: false,
    stored: () => null,
    equalText: canonicalNumber,
    now: null,
    column,
    served: asStored,
    fromRow: null,
    dependsOnSettings: false,
    fromText: (text: SQL, type: string) => castTo(text, column(type)),
    fromJson: (json: SQL, type: string) => castTo(textOf(json), column(type)),
    isSummed: true,
    sheetCell: 'number',
    csvCell: 'value',
    tableText: null,
    readCell: 'number',
    typescript: 'number',
    typescriptObject: 'JsonObject',
    sampleCondition: { operator: 'gte', value: 0 },
  }) satisfies Partial<FieldKind>

export const SPELT = ', or text that spells one'

/** Plain digits of a number or of a text that spells one. */
export function numberText(value: Json): string | null {
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value.trim() : null
  return text !== null && isNumericText(text) ? text : null
}

/** The keyword of `record-ajv.ts` for numbers that texts may spell. */
export const numeric = (integer: boolean, { min, max }: Limits) => ({
  numeric: {
    integer,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  },
})

/** The limits of a JSON number within a range. */
export function bounds({ min, max }: Limits, least = -Infinity, most = Infinity) {
  const minimum = Math.max(min ?? -Infinity, least)
  const maximum = Math.min(max ?? Infinity, most)
  return {
    ...(minimum === -Infinity ? {} : { minimum }),
    ...(maximum === Infinity ? {} : { maximum }),
  }
}

export const within = (wanted: number, { min = -Infinity, max = Infinity }: Limits): number =>
  Math.min(Math.max(wanted, min), max)

/** Whether a double can hold what the text or JSON number says. */
export const floatFits = (text: SQL): SQL => sql`abs(${text}::numeric) <= 1.7e308`
