import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { book, NAMES, SHEET, sheet } from '@/lib/import/file/xlsx/testing/book'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { importsOfUser } from './testing/imports-api'

const deps = freshDeps()
const sent = { entityName: 'Thing', fileName: 'things.xlsx' }

beforeEach(() => {
  const properties = [
    { name: 'name', type: 'string' },
    { name: 'size', type: 'bigint' },
  ]
  const schema = { additionalProperties: false, properties }
  return installTestEntity(deps, { entity: { name: 'Thing' }, schema })
})

const text = (at: string, value: string) =>
  `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
const number = (at: string, value: number) => `<c r="${at}"><v>${value}</v></c>`

/** A workbook of rows, the names first. */
const ofRows = (...inner: string[]) => {
  const all = inner.map((one) => `<row>${one}</row>`).join('')
  return book({ [SHEET]: sheet({ rows: all }).replace(NAMES, '') })
}

const NAMED = `${text('C3', 'name')}${text('E3', 'size')}`
const row = (n: number) => `${text(`C${n}`, `Ann ${n}`)}${number(`E${n}`, n)}`

test('a table that begins in another column, with empty columns inside, is read', async () => {
  const mine = await importsOfUser(deps)
  const done = await mine.result(ofRows(NAMED, row(4), row(5)), sent)
  expect(done).toMatchObject({ created: 2, refused: 0 })
  expect(done.columns.map(({ column }: { column: string }) => column)).toEqual(['name', 'size'])
  const stored = await rows(deps.db, sql`select name, size::int from entities.thing order by id`)
  expect(stored).toEqual([
    { name: 'Ann 4', size: 4 },
    { name: 'Ann 5', size: 5 },
  ])
})

test('a column without a name that has values is still to be mapped', async () => {
  const mine = await importsOfUser(deps)
  const file = ofRows(NAMED, `${number('A4', 0)}${row(4)}`)
  const { status, body } = await mine.send(file, sent)
  expect([status, body.error]).toEqual([400, expect.stringContaining('"column 1" is not a field')])
  const mapping = { 'column 1': null, name: 'name', size: 'size' }
  expect(await mine.result(file, { ...sent, mapping })).toMatchObject({ created: 1 })
})

test('a value far below in a column without a name refuses its row', async () => {
  const mine = await importsOfUser(deps)
  const many = Array.from({ length: 1_500 }, (_, n) => row(n + 4))
  const file = ofRows(NAMED, ...many, `${text('B2000', 'lost')}${row(2000)}`)
  const done = await mine.result(file, { ...sent, query: 'partial=true' })
  expect(done).toMatchObject({ created: 1_500, refused: 1 })
  const { text: reasons } = await mine.refused(done.id)
  expect(reasons).toContain('holds a value in column 2, which the first line does not name')
})
