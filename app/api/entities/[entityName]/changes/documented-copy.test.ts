import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import * as ofEntity from '@/app/api/entities/[entityName]/route'
import { testRequest } from '@/lib/testing/request'
import { GET } from './route'
import { create, deps, keyOf, remove } from './testing/followed'

const CHANGES = [
  ['size=1000', 'size=2'],
  ['wait=30', 'wait=1'],
  ['for (;;)', 'for (let looks = 0; looks < 3; looks++)'],
  ['entities/Order', 'entities/Book'],
] as const

/** The example of the page, with small pages; it ends after some looks at the feed. */
async function example(): Promise<string> {
  const page = await readFile('docs/events.md', 'utf8')
  let code = /```js\n(const api[\s\S]*?)```/.exec(page)?.[1] ?? ''
  for (const [from, to] of CHANGES) {
    expect(code).toContain(from)
    code = code.replace(from, to)
  }
  return `return (async () => {\n${code}\nreturn copy })()`
}

test('the documented copy misses no record where others are deleted while it is read', async () => {
  for (let id = 1; id <= 7; id++) await create({ id, title: `t${id}` })
  const headers = await keyOf(['EDITOR'])
  const context = { params: Promise.resolve({ entityName: 'Book' }) }
  let pages = 0
  const fetched = async (path: string) => {
    const request = await testRequest(deps, { path, headers })
    if (path.includes('/changes')) return GET(request, context)
    const response = await ofEntity.GET(request, context)
    if (++pages <= 2) await remove(String(pages))
    return response
  }
  const run = new Function('fetch', 'URL', 'KEY', await example())
  const copy: Map<string, object> = await run(fetched, '', '')
  expect([...copy.keys()].sort()).toEqual(['3', '4', '5', '6', '7'])
})
