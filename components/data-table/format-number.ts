import { LOCALE } from '@/components/ui/number'
import type { NumberFormat } from '@/lib/definitions/display'

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte']

/** Making one takes longer than using it. */
const formats = new Map<string, Intl.NumberFormat>()

/** The text of a number as its field's definition says; every other text stays as it is. */
export function formatNumber(text: string, format: NumberFormat): string {
  const number = Number(text)
  if (text === '' || !Number.isFinite(number)) return text
  const { style, currency, decimals, grouping } = format
  const isSize = style === 'bytes'
  const power = Math.floor(Math.log10(Math.abs(number) || 1) / 3)
  const size = Math.max(0, Math.min(power, 5))
  const options = {
    style: isSize ? 'unit' : style,
    unit: isSize ? SIZES[size] : undefined,
    currency,
    useGrouping: grouping,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals ?? (isSize ? 1 : currency ? undefined : 20),
  } as const
  const key = JSON.stringify(options)
  const made = formats.get(key) ?? new Intl.NumberFormat(LOCALE, options)
  formats.set(key, made)
  // As text: digits that a double would lose stay.
  return made.format(isSize ? number / 1000 ** size : (text as `${number}`))
}
