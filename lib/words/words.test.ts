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
