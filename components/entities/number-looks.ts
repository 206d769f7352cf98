import { formatBare } from '@/components/data-table/format-value'
import { decimalsOf } from '@/components/ui/number'
import { isNumberKind, isWholeKind } from '@/lib/kinds/kind'
import { plainText } from '@/lib/values/exact-json'
import type { ColumnDescription, EntityRecord } from './types'

/** Beyond these, a long tail of one number would push all others aside. */
const MAX_PLACES = 8

/** How the numbers of a column stand below each other. */
export type NumberLook = {
  /** The most digits after the point that one of them has. */
  places: number
  /** One of them has its digits in groups, so those of four digits have too. */
  isGrouped: boolean
}

/** For each column of numbers, what its rows have in common. */
export function numberLooks(
  columns: readonly ColumnDescription[],
  rows: readonly EntityRecord[],
): Record<string, NumberLook> {
  const numbers = columns.filter(
    ({ kind, key, display }) => isNumberKind(kind) && !key && !display?.format,
  )
  return Object.fromEntries(
    numbers.map((column) => {
      const texts = rows.map((row) => plainText(row[column.name] ?? ''))
      const places = isWholeKind(column.kind) ? [] : texts.map(decimalsOf)
      const isGrouped = texts.some((text) => text.length > 4 && /,/.test(formatBare(text, column)))
      return [column.name, { places: Math.min(MAX_PLACES, Math.max(0, ...places)), isGrouped }]
    }),
  )
}

/** A number of four digits with these in groups: `8,261.0`. */
export const groupedFour = (text: string): string => text.replace(/^(-?\d)(\d{3})(?=\.|$)/, '$1,$2')

/** What a number lacks to stand with its point below those with `places` digits after it: `.00`, `0`, nothing. */
export function fillerOf(text: string, places: number): string {
  const own = decimalsOf(text)
  if (own >= places) return ''
  return `${own === 0 ? '.' : ''}${'0'.repeat(places - own)}`
}
