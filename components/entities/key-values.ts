import { plainText } from '@/lib/values/exact-json'
import type { ColumnDescription } from './types'

/** A key, its parts as an object or its only value, by its fields; null while these are not known. */
export function keyValues(
  key: unknown,
  columns: readonly ColumnDescription[],
): Record<string, string> | null {
  if (isParts(key)) {
    return Object.fromEntries(Object.entries(key).map(([name, part]) => [name, plainText(part)]))
  }
  const [field] = columns.filter((column) => column.key)
  return field ? { [field.name]: plainText(key) } : null
}

const isParts = (key: unknown): key is Record<string, unknown> =>
  typeof key === 'object' && key?.constructor === Object
