import { decimalsOf } from '@/components/ui/number'
import { isNumberKind, isWholeKind } from '@/lib/kinds/kind'
import { plainText } from '@/lib/values/exact-json'
import type { ColumnDescription, EntityRecord } from './types'

/** Beyond these, a long tail of one number would push all others aside. */
const MAX_PLACES = 8

/** For each column of fractions the most digits that one of the rows has after the point. */
export function decimalPlaces(
  columns: readonly ColumnDescription[],
  rows: readonly EntityRecord[],
): Record<string, number> {
  const fractions = columns.filter(
    ({ kind, key }) => isNumberKind(kind) && !isWholeKind(kind) && !key,
  )
  return Object.fromEntries(
    fractions.map(({ name }) => {
      const places = rows.map((row) => decimalsOf(plainText(row[name] ?? '')))
      return [name, Math.min(MAX_PLACES, Math.max(0, ...places))]
    }),
  )
}

/** What a number lacks to stand with its point below those with `places` digits after it: `.00`, `0`, nothing. */
export function fillerOf(text: string, places: number): string {
  const own = decimalsOf(text)
  if (own >= places) return ''
  return `${own === 0 ? '.' : ''}${'0'.repeat(places - own)}`
}
