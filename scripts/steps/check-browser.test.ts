import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkBrowser } from './check-browser.mjs'

function faultsOf(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'browser-'))
  for (const folder of ['app', 'components', 'lib']) mkdirSync(join(root, folder))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return checkBrowser(root)
}

const PAGE = { 'app/page.tsx': "import { List } from '@/components/list'\n" }
const list = (...lines: string[]) => ({
  'components/list.tsx': ["'use client'", ...lines, ''].join('\n'),
})

test('the console says where the server’s tree ends, and browsers load nothing of the server', () => {
  expect(checkBrowser(join(import.meta.dirname, '../..'))).toEqual([])
})

test.each([
  ["import { readFile } from 'node:fs/promises'", 'node:fs/promises'],
  ["import { sql } from 'drizzle-orm'", 'drizzle-orm'],
  ["export { pgTable } from 'drizzle-orm/pg-core'", 'drizzle-orm/pg-core'],
  ["const made = import('postgres')", 'postgres'],
])('%s is refused in what browsers load', (line, name) => {
  const files = {
    ...PAGE,
    ...list("import { rows } from '@/lib/rows'"),
    'lib/rows.ts': `${line}\n`,
  }
  expect(faultsOf(files)).toEqual([`lib/rows.ts is loaded by browsers and imports ${name}`])
})

test('types are not loaded, and what the server renders may use anything', () => {
  const types = list(
    "import type { Row } from '@/lib/rows'",
    "import { type Row } from '@/lib/rows'",
  )
  const page = `import { rows } from '@/lib/rows'\n${PAGE['app/page.tsx']}`
  const rows = "import { sql } from 'drizzle-orm'\nimport { open } from 'node:fs'\n"
  expect(faultsOf({ ...types, 'app/page.tsx': page, 'lib/rows.ts': rows })).toEqual([])
})

test('only what the server renders says that it is of the client', () => {
  const row = { 'components/row.tsx': "'use client'\n" }
  expect(faultsOf({ ...PAGE, ...list("import { Row } from './row'"), ...row })).toEqual([
    expect.stringMatching(/^components\/row\.tsx says 'use client'/),
  ])
})

test('state is kept on this side of the boundary', () => {
  const state = "import { type ReactNode, useState } from 'react'\n"
  const page = { 'app/page.tsx': "import { size } from '@/components/picture'\n" }
  expect(faultsOf({ ...page, 'components/picture.tsx': state })).toEqual([
    expect.stringMatching(/^components\/picture\.tsx has state/),
  ])
  const client = { 'components/picture.tsx': `'use client'\n${state}` }
  expect(faultsOf({ ...page, ...client })).toEqual([])
})
