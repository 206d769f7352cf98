import { type SQL, sql } from 'drizzle-orm'
import type { OperatorName } from '@/lib/definitions/operators'
import { typedSql } from './sql-terms'

/** The operators that match a text against a pattern, and whether they are case-sensitive. */
export const PATTERNS = {
  like: { ignoresCase: false, of: (text: string) => wild(text) },
  ilike: { ignoresCase: true, of: (text: string) => wild(text) },
  contains: { ignoresCase: false, of: (text: string) => `%${literal(text)}%` },
  icontains: { ignoresCase: true, of: (text: string) => `%${literal(text)}%` },
  starts: { ignoresCase: false, of: (text: string) => `${literal(text)}%` },
  istarts: { ignoresCase: true, of: (text: string) => `${literal(text)}%` },
  ends: { ignoresCase: false, of: (text: string) => `%${literal(text)}` },
  iends: { ignoresCase: true, of: (text: string) => `%${literal(text)}` },
} as const satisfies Partial<
  Record<OperatorName, { ignoresCase: boolean; of: (text: string) => string }>
>

export type PatternName = keyof typeof PATTERNS

/** A pattern that matches exactly this text. */
export const literal = (text: string) => text.replace(/[\\_%]/g, '\\$&')

/** `%` stays the wildcard; a text without one is searched for anywhere. */
function wild(text: string): string {
  const pattern = text.replace(/[\\_]/g, '\\$&')
  return text.includes('%') ? pattern : `%${pattern}%`
}

const SIGMAS = /[Σσς]/g

/**
 * Whether a text matches a pattern. Case-insensitive, letters are compared by PostgreSQL's lower case, which leaves the final
 * sigma apart from the other; here it is none. A trigram index on the text serves both forms.
 */
export function likeSql(text: SQL, pattern: string, ignoresCase: boolean): SQL {
  if (!ignoresCase) return sql`${text} like ${typedSql('text', pattern)}`
  const anyLetter = pattern.replace(SIGMAS, '_')
  const found = sql`${text} ilike ${typedSql('text', anyLetter)}`
  if (anyLetter === pattern) return found
  const folded = typedSql('text', pattern.replaceAll('ς', 'σ'))
  return sql`(${found} and translate(${text}, 'ς', 'σ') ilike ${folded})`
}
