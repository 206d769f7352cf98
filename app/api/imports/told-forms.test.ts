import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
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
