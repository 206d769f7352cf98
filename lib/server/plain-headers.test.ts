import { expect, test } from 'vitest'
import { PlainHeaders } from './plain-headers'

type Change = (headers: Headers) => void

const CHANGES: [string, Change][] = [
  ['a value set anew, whatever its letters', (headers) => headers.set('CACHE-CONTROL', 'no-cache')],
  ['an appended value', (headers) => headers.append('vary', 'Origin')],
  ['several cookies', (headers) => ['a=1', 'b=2'].map((one) => headers.append('Set-Cookie', one))],
  ['cookies set anew', (headers) => headers.set('set-cookie', 'c=3')],
  ['spaces around a value', (headers) => headers.set('x-padded', '  within \t')],
  ['an empty value', (headers) => headers.set('x-empty', '')],
  ['letters of Latin-1', (headers) => headers.set('x-latin', 'é')],
  ['a number', (headers) => headers.set('x-number', 7 as unknown as string)],
  ['a removed header', (headers) => headers.delete('Vary')],
  ['a name that is none', (headers) => headers.set('not a name', 'x')],
  ['a value of two lines', (headers) => headers.set('x-lines', 'a\r\nb: c')],
  ['letters of no header', (headers) => headers.set('x-wide', '漢')],
]

const INITS: HeadersInit[] = [
  { 'Content-Type': 'text/plain', Vary: 'Cookie', 'Cache-Control': 'no-store' },
  [
    ['vary', 'Cookie'],
    ['Vary', 'Accept'],
    ['set-cookie', 'z=0'],
  ],
  new Headers({ ETag: '"1"' }),
]

/** What they hold, or the error. */
function after(headers: Headers, change: Change): unknown {
  try {
    change(headers)
  } catch (error) {
    return (error as Error).constructor
  }
  const all = [...headers].sort(([one], [other]) => (one < other ? -1 : 1))
  const asked = ['Vary', 'etag', 'X-Empty'].map((name) => [headers.get(name), headers.has(name)])
  return { all, asked, cookies: headers.getSetCookie() }
}

test.each(CHANGES)('are as those of browsers after %s', (_, change) => {
  for (const init of INITS)
    expect(after(new PlainHeaders(init), change)).toEqual(after(new Headers(init), change))
})

test('are taken where browsers take headers', () => {
  const headers = new PlainHeaders({ 'X-One': '1' })
  headers.append('Set-Cookie', 'a=1')
  const response = new Response(null, { headers })
  expect([...response.headers]).toEqual([...headers].sort())
})
