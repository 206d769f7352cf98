import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FUZZ_ROUNDS } from '@/lib/testing/budget'
import { bundleScript } from '@/lib/testing/bundle-script'
import { EngineProcess, type Home, makeHome } from '@/lib/testing/engine-process'
import { book, SHEET, sheet } from './testing/book'
import type { HostileBook } from './testing/hostile-book'
import { hostileBooks } from './testing/hostile-books'
import type { Reading } from './testing/read-book-child'

const SEED = 31
/** One of each kind, at least. */
const BOOKS = 100 * FUZZ_ROUNDS
const MAX_SECONDS = 5
const MAX_MIB = 64

let home: Home
let reader: EngineProcess
beforeAll(async () => {
  home = await makeHome()
  reader = await EngineProcess.start(
    await bundleScript('lib/import/file/xlsx/testing/read-book-child.ts'),
    home,
  )
  const rows = Array.from({ length: 20_000 }, (_, n) => usual(n)).join('')
  await read(book({ [SHEET]: sheet({ rows }) }))
})
afterAll(async () => {
  await reader?.kill()
  await home?.remove()
})

const usual = (n: number) =>
  `<row><c t="inlineStr"><is><t>Name of ${n}</t></is></c><c><v>${n}</v></c></row>`

async function read(bytes: Uint8Array): Promise<Reading> {
  const path = join(home.folder, 'book.xlsx')
  writeFileSync(path, bytes)
  return reader.ask<Reading>({ path })
}

test.runIf(process.platform === 'linux')(
  'hostile workbooks are read right or refused with the reason, in 5 s and 64 MiB',
  async () => {
    const wrong: string[] = []
    for (const hostile of hostileBooks(SEED, BOOKS)) {
      const found = await read(hostile.bytes)
      const fault = faultOf(hostile, found)
      if (fault) wrong.push(`${hostile.name}: ${fault}: ${JSON.stringify(found).slice(0, 500)}`)
    }
    expect(wrong).toEqual([])
  },
  1_800_000,
)

function faultOf({ rows, refused }: HostileBook, found: Reading): string | null {
  if (found.cpuSeconds > MAX_SECONDS) return 'takes long'
  if (found.grownMib > MAX_MIB) return 'takes much memory'
  if (refused) return found.fault && refused.test(found.fault) ? null : 'is not refused'
  if (rows === undefined) return null
  if (found.fault !== null) return 'is refused'
  if (typeof rows === 'number') return found.rows === rows ? null : `has not ${rows} rows`
  const isSame = JSON.stringify(found.first) === JSON.stringify(rows)
  return isSame && found.rows === rows.length ? null : `has not the rows ${JSON.stringify(rows)}`
}
