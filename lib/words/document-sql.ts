import { type SQL, sql } from 'drizzle-orm'
import type { TextSearch } from '@/lib/definitions/text-search'

/** The value of a field that text search looks in. */
export type DocumentPart = TextSearch & { value: SQL }

/**
 * What text search finds of a record, a `tsvector`: its words without case and accents, with the weights of their fields. An
 * index has the same expression. Of constants and columns alone, since definitions of indexes take no parameters.
 */
export const documentSql = (parts: readonly DocumentPart[]): SQL =>
  sql`(${sql.join(parts.map(partSql), sql` || `)})`

// Of closed lists, so there is nothing to escape.
const partSql = ({ value, weight, language }: DocumentPart): SQL =>
  sql`setweight(to_tsvector(${sql.raw(`'pg_catalog.${language}'::regconfig`)}, ${wordsSql(value)}), ${sql.raw(`'${weight}'`)})`

/** The words of a text, as they are compared. */
const wordsSql = (value: SQL): SQL => sql`engine.words(coalesce(${value}, ''))`
