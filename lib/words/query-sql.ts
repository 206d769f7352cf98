import { type SQL, sql } from 'drizzle-orm'
import type { TextSearch } from '@/lib/definitions/text-search'
import type { Term } from './parse-terms'

type Language = TextSearch['language']

/** What finds documents of these languages that have all terms, a `tsquery`. */
export function querySql(terms: readonly Term[], languages: readonly Language[]): SQL {
  const list = sql.raw(`'{${[...new Set(languages)].sort().join(',')}}'::text[]`)
  const parts = terms.map(({ text, isAbsent, isBeginning }) => {
    const found = sql`engine.words_query(${list}, ${text}::text, ${sql.raw(String(isBeginning))})`
    return isAbsent ? sql`(!! ${found})` : found
  })
  return sql`(${sql.join(parts, sql` && `)})`
}

/**
 * What finds all documents that have the words of `query`, wherever they stand: of other words between them, some may not be
 * shown.
 */
export const anywhereSql = (query: SQL): SQL =>
  sql`regexp_replace(${query}::text, '<(-|\\d+)>', '&', 'g')::tsquery`

/** The places of the terms in a text. */
export function marksSql(terms: readonly Term[], language: Language, value: SQL): SQL {
  const texts = terms.map(({ text }) => sql`${text}::text`)
  const isBeginning = sql.raw(String(terms.at(-1)?.isBeginning ?? false))
  return sql`engine.word_marks(${sql.raw(`'${language}'`)}, ${value}, array[${sql.join(texts, sql`, `)}], ${isBeginning})`
}
