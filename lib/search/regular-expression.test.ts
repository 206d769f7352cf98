import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import { budget } from '@/lib/testing/budget'
import { testDeps } from '@/lib/testing/deps'
import { toRegularExpression } from './regular-expression'

test.each([
  ['a(?=b)', /./],
  ['(a)\\1', /./],
  ['[', /./],
  ['\\p{Greek}', 'not supported: \\p'],
  ['a(?i)b', 'not supported: (?i)'],
  ['^*', 'not supported: *'],
  ['a{256}', 'too complex: {256} repeats more than 255 times'],
  ['(a{1,250}){1,250}', /./],
  ['[[:alpha:]]', 'not supported: [:alpha:]'],
])('%s is refused with the reason', (pattern, reason) => {
  expect(() => toRegularExpression(pattern)).toThrow(reason)
})

const piece = fc.constantFrom(
  ...['a', 'b', 'B', '1', ' ', '.', '\\.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\b', '\\B'],
  ...['^', '$', '\\A', '\\z', '|', '(a|b)', '(?:ab)', '[ab]', '[^ab]', '[]a]', '[\\d_]', '[a[]'],
  ...['[^\\s1]', '*', '+?', '?', '{2}', '{1,}', '{0,2}?', '{', ']', 'é', '\\n', '-'],
  ...['σ', 'ς', 'Σ', '[ς]', '[^Σ]', '[Α-Ω]', '[^α-ω]', '[σ-ω]'],
)
const text = fc.string({
  unit: fc.constantFrom(...'abAB1 .\n_[]{é-σςΣαω'),
  maxLength: 8,
})

test('matches in PostgreSQL what the pattern matches in RE2', async () => {
  const { db } = await testDeps()
  const pattern = fc
    .tuple(fc.boolean(), fc.array(piece, { minLength: 1, maxLength: 6 }))
    .map(([ignoresCase, pieces]) => (ignoresCase ? '(?i)' : '') + pieces.join(''))
    .filter(isSupported)
  const texts = fc.array(text, { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(pattern, texts, async (input, of) => {
      const expression = toRegularExpression(input)
      const query = sql`select array_agg(t ~ ${expression} order by n) as found
        from jsonb_array_elements_text(${JSON.stringify(of)}::jsonb) with ordinality as x(t, n)`
      const { found } = one(await rows<{ found: boolean[] }>(db, query))
      const re2 = RE2JS.compile(input)
      expect(found).toEqual(of.map((one) => re2.matcher(one).find()))
    }),
    budget(200, 1),
  )
})

function isSupported(pattern: string): boolean {
  try {
    toRegularExpression(pattern)
    return true
  } catch {
    return false
  }
}
