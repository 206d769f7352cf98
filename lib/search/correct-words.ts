import { type SQL, sql } from 'drizzle-orm'
import { estimateRows } from '@/lib/db/planner'
import { type Db, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import {
  meantBy,
  type TypedWord,
  withWordsReplaced,
  wordsThatMayBeWrong,
} from '@/lib/words/misspelt'
import { parseTerms, type Term } from '@/lib/words/parse-terms'
import { querySql } from '@/lib/words/query-sql'
import type { Resolved, ResolvedSearch } from './resolved'
import { arrayText, fromSql } from './sql-terms'
import { languagesOf, type Words, wordsOf } from './text-search'
import { whereSql } from './to-sql'

/** A longer text is pasted rather than typed, and dear to look into. */
const MAX_WORDS = 10
/** More words than this with mistakes are no typing mistakes. */
const MAX_WRONG = 3
/** So many records are counted, to choose the word that more of them have. */
const MAX_COUNTED = 20

/**
 * What is likely meant by a text search that found nothing: words that no record has are replaced by those with one mistake less that most
 * records have which match otherwise. Null where no word is wrong, one has no such word, or looking costs more than a search may. Only
 * what the reader sees of records counts.
 */
export async function correctWords(
  deps: Pick<Deps, 'db' | 'settings'>,
  target: SearchTarget,
  { where, joins }: ResolvedSearch,
  typed: string,
): Promise<string | null> {
  const words = wordsOf(where.toReversed())
  if (!words) return null
  const visible = target.rule?.where ?? []
  const others = where.filter((one) => one.type !== 'words' || one.words !== words)
  const find = (list: readonly string[], more: Partial<Looked>) =>
    wordsFound(deps, target, { ...AS_SUCH, words, joins, conditions: visible, ...more }, list)
  const all = wordsThatMayBeWrong(typed)
  if (all.length > MAX_WORDS) return null
  const texts = all.map(({ text }) => text)
  const right = [...(await find(texts, {})), ...(await emptyWords(deps, words, texts))]
  const known = right.map((text): Term => ({ ...WHOLE, text }))
  const wrong = all.filter(({ text }) => !right.includes(text))
  const last = wrong.at(-1)
  if (last && isUnfinished(last, typed, words)) {
    const asBeginning = { isBeginning: true }
    if ((await find([last.text], asBeginning)).length > 0)
      known.push({ ...WHOLE, ...asBeginning, text: wrong.pop()?.text ?? '' })
  }
  if (wrong.length === 0 || wrong.length > MAX_WRONG) return null
  const replaced: { word: TypedWord; by: string }[] = []
  for (const word of wrong) {
    const looked = { known, conditions: others, most: MAX_COUNTED }
    const [best] = await find(meantBy(word.text), looked)
    if (best === undefined) return null
    known.push({ ...WHOLE, text: best })
    replaced.push({ word, by: best })
  }
  const meant = withWordsReplaced(typed, replaced)
  // Some letters more may be too many.
  return 'fault' in parseTerms(meant) ? null : meant
}

const WHOLE = { isAbsent: false, isBeginning: false }

/** The last word may be the beginning of one, which is no mistake. */
const isUnfinished = ({ at, text }: TypedWord, typed: string, { terms }: Words) =>
  Boolean(terms.at(-1)?.isBeginning) && !/[\p{L}\p{N}]/u.test(typed.slice(at + text.length))

type Looked = {
  words: Words
  joins: ResolvedSearch['joins']
  /** What records must have besides. */
  known: readonly Term[]
  conditions: Resolved[]
  isBeginning: boolean
  /** How many records are counted. */
  most: number
}

const AS_SUCH = { known: [], isBeginning: false, most: 1 }

/** Which words of a list records have that match otherwise, those of most records first; none where that costs too much. */
async function wordsFound(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  target: SearchTarget,
  { joins, words, known, conditions, isBeginning, most }: Looked,
  list: readonly string[],
): Promise<string[]> {
  const terms = [...known, { ...WHOLE, isBeginning, text: WORD }]
  const asked: Resolved = { type: 'words', words: { ...words, terms }, of: [] }
  const where = sql`${whereSql([...conditions, asked])} and not ${saysNothing(words)}`
  const from = fromSql(target, joins)
  // Nodes of a cluster refuse subqueries about each word: there all records are counted.
  const query = target.isDistributed
    ? sql`select ${WORD} as "word" from ${from} cross join ${listed(list)} where ${where} group by 1, "at" order by count(*) desc, "at"`
    : sql`select ${WORD} as "word" from ${listed(list)} cross join lateral
      (select count(*) as "records" from (select from ${from} where ${where} limit ${sql.raw(String(most))}) as "$some") as "$found"
      where "records" > 0 order by "records" desc, "at"`
  const { cost } = await estimateRows(db, query)
  return cost > settings.MAX_SEARCH_COST ? [] : wordsOfRows(db, query)
}

/** Those that languages leave out, such as `the`. */
const emptyWords = ({ db }: Pick<Deps, 'db'>, words: Words, list: readonly string[]) =>
  wordsOfRows(db, sql`select ${WORD} as "word" from ${listed(list)} where ${saysNothing(words)}`)

const wordsOfRows = async (db: Db, query: SQL): Promise<string[]> =>
  (await rows<{ word: string }>(db, query)).map(({ word }) => word)

const WORD = sql.raw('"$word"."text"')

const listed = (words: readonly string[]): SQL =>
  sql`unnest(${arrayText([...words])}::text[]) with ordinality as "$word"("text", "at")`

const saysNothing = ({ fields }: Words): SQL =>
  sql`(numnode(${querySql([{ ...WHOLE, text: WORD }], languagesOf(fields))}) = 0)`
