import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { importsOfUser, installPeople } from './testing/imports-api'

const deps = freshDeps()
beforeEach(() => installPeople(deps))

const stored = () => rows(deps.db, sql`select name, kind from entities.person order by id`)

const TWO = [
  { name: 'Ann, A.', kind: 'big' },
  { name: 'Bob', kind: 'small' },
]

describe('a first line of CSV that says what separates cells', () => {
  const ROWS = 'name;kind\r\n"Ann, A.";big\r\nBob;small\r\n'
  test.each([
    ['as Excel reads it', `sep=;\r\n${ROWS}`, ''],
    ['with a tab, in quotes', `\uFEFF"sep=\t"\r\n${ROWS.replaceAll(';', '\t')}`, ''],
    ['overruled by the request', `SEP=,\r\n${ROWS}`, 'delimiter=%3B'],
  ])('%s', async (_, file, query) => {
    const mine = await importsOfUser(deps)
    expect(await mine.result(file, { query })).toMatchObject({ created: 2, doneRows: 2 })
    expect(await stored()).toEqual(TWO)
  })

  test('is counted where a line is named, and no row of a preview', async () => {
    const mine = await importsOfUser(deps)
    const file = `sep=;\r\n${ROWS}`
    const { body } = await mine.send(`${file}"`, { query: 'partial=true' })
    expect(body.error).toContain('Line 5: a quote that begins here')
    const preview = await mine.preview(file)
    expect(preview.body.data[0]).toMatchObject({
      rows: 2,
      columns: [{ column: 'name' }, { column: 'kind' }],
    })
  })
})

describe('JSON', () => {
  const LIST = JSON.stringify(TWO)
  const LINES = TWO.map((one) => `${JSON.stringify(one)}\n`).join('')
  const utf16 = (text: string) => Buffer.from(text, 'utf16le')
  test.each([
    ['in UTF-16 that is said', utf16(LIST), 'x.json', 'encoding=utf-16le'],
    ['in UTF-16 by its mark', utf16(`\uFEFF${LIST}`), 'x.json', ''],
    ['in UTF-16 by its mark, without a name', utf16(`\uFEFF${LIST}`), 'x', ''],
    ['in lines of UTF-16', utf16(LINES).swap16(), 'x.jsonl', 'encoding=utf-16be'],
    ['in lines, called JSON', LINES, 'x.json', ''],
    ['as a list, called JSON Lines', `\n ${LIST}`, 'x.jsonl', ''],
  ])('%s', async (_, file, fileName, query) => {
    const mine = await importsOfUser(deps)
    expect(await mine.result(file, { fileName, query })).toMatchObject({ created: 2 })
    expect(await stored()).toEqual(TWO)
  })

  test('that is one object in several lines is no JSON Lines, whatever it is called', async () => {
    const mine = await importsOfUser(deps)
    const file = JSON.stringify(TWO[0], null, 2)
    expect(await mine.result(file, { fileName: 'x.ndjson' })).toMatchObject({ format: 'json' })
    expect(await stored()).toEqual([TWO[0]])
  })

  test('in another encoding than said, or another form, is refused with what to say', async () => {
    const mine = await importsOfUser(deps)
    const fileName = 'x.json'
    for (const [file, query, message] of [
      [LINES, 'format=json', 'The file is JSON Lines, an object in each line; say format=jsonl'],
      [LIST, 'format=jsonl', 'The file is one JSON text; say format=json'],
    ] as const) {
      const { status, body } = await mine.send(file, { fileName, query })
      expect([status, body.error]).toEqual([400, expect.stringContaining(message)])
    }
  })

  test('whose first line is too long to tell its form is refused with what to say', async () => {
    const mine = await importsOfUser(deps)
    const file = `${JSON.stringify({ name: 'x'.repeat(300_000) })}\n{"name":"b"}\n`
    const { body } = await mine.send(file, { fileName: 'x.json' })
    expect(body.error).toContain('Line 2, column 1: Expected the end of the text; where each')
    const sent = { fileName: 'x.json', query: 'format=jsonl' }
    expect(await mine.result(file, sent)).toMatchObject({ created: 2 })
  })

  test('that is cut in the middle of a character of another encoding is read to its last record', async () => {
    const mine = await importsOfUser(deps)
    const records = Array.from({ length: 40 }, (_, n) => ({ name: `${n} ${'x'.repeat(10_000)}` }))
    const file = utf16(JSON.stringify(records).slice(0, 300_000)).subarray(0, -1)
    const query = 'cut=true&encoding=utf-16le'
    const { body } = await mine.preview(file, { fileName: 'x.json', query })
    expect(body.data[0].rows).toBeGreaterThan(20)
  })
})
