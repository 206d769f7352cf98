import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'

const deps = freshDeps()

test('texts of ASCII alone have the same words as within others', async () => {
  const ascii = Array.from({ length: 127 }, (_, at) => `aB${String.fromCharCode(at + 1)}Cd`)
  const spaced = (words: ReturnType<typeof sql>) =>
    sql`regexp_replace(${words}, '[[:cntrl:] ]+', ' ', 'g')`
  const found = await rows<{ alone: string; within: string }>(
    deps.db,
    sql`
      select ${spaced(sql`engine.words(text)`)} as alone, ${spaced(sql`engine.words(text || 'é')`)} as within
      from jsonb_array_elements_text(${JSON.stringify(ascii)}::jsonb) as text`,
  )
  expect(found).toHaveLength(ascii.length)
  expect(found.filter(({ alone, within }) => `${alone}e` !== within)).toEqual([])
})

test('the beginning of a word is asked once where languages make the same of it', async () => {
  const asked = (languages: string, word: string) =>
    rows<{ query: string }>(
      deps.db,
      sql`select engine.words_query(${languages}::text[], ${word}, true)::text as query`,
    )
  expect(await asked('{simple}', 'Lanterns')).toEqual([{ query: "'lanterns':*" }])
  expect(await asked('{english,german}', 'Holz')).toEqual([{ query: "'holz':*" }])
  expect(await asked('{english}', 'lanterns')).toEqual([{ query: "'lantern':* | 'lanterns':*" }])
  // Ranks of phrases, which cursors hold, stay what they were.
  const phrase = "'new' <-> 'york':*"
  expect(await asked('{english}', 'new york')).toEqual([{ query: `${phrase} | ${phrase}` }])
})
