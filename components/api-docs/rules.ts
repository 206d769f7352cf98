import type { Schema } from './document'

/** Limits of a value, each a few words: `1–64 characters`, `default 10`. */
export function rulesOf(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, uniqueItems, pattern } = schema
  return [
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    uniqueItems ? 'distinct items' : null,
    range(safe(schema.minimum), safe(schema.maximum)),
    schema.exclusiveMinimum === undefined ? null : `> ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum === undefined ? null : `< ${schema.exclusiveMaximum}`,
    pattern !== undefined && schema.format === undefined && pattern.length <= MAX_PATTERN
      ? `matches ${pattern}`
      : null,
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ].filter((rule) => rule !== null)
}

const MAX_PATTERN = 60

function range(min: number | undefined, max: number | undefined, unit = ''): string | null {
  if (min === undefined && max === undefined) return null
  if (max === undefined) return join(`≥ ${min}`, unit)
  return join(min === undefined ? `≤ ${max}` : min === max ? `${min}` : `${min}–${max}`, unit)
}

const join = (text: string, unit: string) => (unit ? `${text} ${unit}` : text)

/** The limits of exact numbers are no limits in practice. */
const safe = (limit: number | undefined) =>
  limit !== undefined && Math.abs(limit) >= Number.MAX_SAFE_INTEGER ? undefined : limit
