import { type SQL, sql } from 'drizzle-orm'
import type { TextSearch } from '@/lib/definitions/text-search'
import type { SearchTarget } from '@/lib/registry/target'
import type { Json } from '@/lib/values/json'
import { documentSql } from '@/lib/words/document-sql'
import { parseTerms, type Term } from '@/lib/words/parse-terms'
import { anywhereSql, marksSql, querySql } from '@/lib/words/query-sql'
import type { FieldResolver } from './resolve-field'
import type { FieldRef, Resolved } from './resolved'
import { columnSql } from './sql-terms'

type Searched = FieldRef & { textSearch: TextSearch }

/** What a text search asks of the fields that the reader may see. */
export type Words = {
  terms: Term[]
  fields: Searched[]
  /** What the index has, where that is more than these fields show. */
  whole: Searched[] | null
}

/** Of one search: each takes all fields, and its words in all their languages. */
const MAX_TEXTS = 10

/** Reads the texts of the text searches that one search in records of `target` has. */
export function wordsReader(target: SearchTarget) {
  let count = 0
  return (value: Json | undefined) => {
    const fields = target.fields.flatMap(toSearched)
    if (fields.length === 0) return { fault: nothingToSearch(target.name) }
    if (++count > MAX_TEXTS) return { fault: `A search has at most ${MAX_TEXTS} text searches` }
    if (typeof value !== 'string') return { fault: 'Text search needs a text' }
    const terms = parseTerms(value)
    if ('fault' in terms) return terms
    const all = target.document ?? []
    const isWhole = fields.length === all.length && fields.every(({ mask }) => !mask)
    return { terms, fields, whole: isWhole ? null : all.flatMap(toSearched) } satisfies Words
  }
}

const toSearched = ({
  hidden: _,
  textSearch,
  ...field
}: SearchTarget['fields'][number]): Searched[] =>
  textSearch ? [{ ...field, textSearch, path: [] }] : []

// The same where fields are hidden from the reader.
const nothingToSearch = (name: string) =>
  `${JSON.stringify(name)} has no field for text search; its schema says which: "searchable": { "weight": "A" }`

/**
 * Whether a record has the words. The index is asked for those that must occur, in any field; where fields are hidden, what is
 * shown decides, also which words follow each other.
 */
export function matchesSql({ terms, fields, whole }: Words): SQL {
  const query = querySql(terms, languagesOf(fields))
  const shown = sql`${documentOf(fields)} @@ ${query}`
  if (!whole) return shown
  const candidates = anywhereSql(querySql(present(terms), languagesOf(fields)))
  return sql`(${documentOf(whole)} @@ ${candidates} and ${shown})`
}

const documentOf = (fields: readonly Searched[]): SQL =>
  documentSql(fields.map((field) => ({ ...field.textSearch, value: columnSql(field) })))

export const languagesOf = (fields: readonly Searched[]) =>
  fields.map(({ textSearch }) => textSearch.language)

const present = (terms: readonly Term[]) => terms.filter(({ isAbsent }) => !isAbsent)

/** How well a record matches, and where: names that sorts and fields have in a text search. */
const RANK = '$rank'
const HIGHLIGHT = '$highlight'

/** Looks up the names of a text search too; without one it says what they need. */
export function withWords(fieldOf: FieldResolver, words: Words | null, names: string[]) {
  const find = (name: string): ReturnType<FieldResolver> => {
    if (!names.includes(name)) return fieldOf(name)
    return words ? made(name, words) : { fault: `"${name}" needs a text search: "q"` }
  }
  return Object.assign(find, { related: fieldOf.related })
}

export const SORTED = [RANK]
export const SHOWN = [RANK, HIGHLIGHT]

/** The best match first. */
export const bestFirst = (words: Words) => ({
  field: made(RANK, words),
  direction: 'desc' as const,
})

function made(name: string, words: Words): FieldRef {
  const field = { name, column: '', path: [], nullable: false }
  const toJSON = () => words
  return name === RANK
    ? { ...field, kind: 'float', made: { value: rankSql(words), toJSON } }
    : { ...field, kind: 'json', made: { value: highlightSql(words), toJSON } }
}

// A subquery is evaluated once, a function of parameters for each match.
const rankSql = ({ terms, fields }: Words): SQL =>
  sql`ts_rank(${documentOf(fields)}, (select ${querySql(present(terms), languagesOf(fields))}))::float8`

/** `{"name": [[0, 7]]}`: the fields that have words, each with their places. */
function highlightSql({ terms, fields }: Words): SQL {
  const marks = fields.map((field) => {
    const places = marksSql(present(terms), field.textSearch.language, columnSql(field))
    return sql`jsonb_strip_nulls(jsonb_build_object(${field.name}::text, ${places}))`
  })
  return sql`(${sql.join(marks, sql` || `)})`
}

/** That of the first text search that all records must match. */
export const wordsOf = (where: readonly Resolved[]): Words | null =>
  where.flatMap((one) => (one.type === 'words' ? [one.words] : []))[0] ?? null

/** Whether there is a text search among conditions. */
export const hasWords = (condition: Resolved): boolean =>
  condition.type === 'words' || (condition.type !== 'test' && condition.of.some(hasWords))

/** Whether one looks in an index of texts that the reader may not see: the planner knows how many records have words of them. */
export const asksHidden = (condition: Resolved): boolean =>
  condition.type === 'words'
    ? condition.words.whole !== null
    : condition.type !== 'test' && condition.of.some(asksHidden)
