import { databaseError, isContention, isTimeout, isUnavailable } from '@/lib/db/errors'

/** Why an index can never be built as things are, for people; null when a later attempt may succeed. */
export function whyNot(error: unknown): string | null {
  if (isContention(error) || isTimeout(error) || isUnavailable(error)) return null
  const code = databaseError(error)?.code
  if (code === undefined) return null
  return REASONS.get(code) ?? `PostgreSQL refused it (${code})`
}

const REASONS = new Map([
  ['23505', 'Two records have the same values, so the index can’t be unique'],
  ['54000', 'A value is longer than an index can hold'],
  ['42703', 'A field of it is gone'],
  ['42P01', 'The table of the entity is gone'],
])
