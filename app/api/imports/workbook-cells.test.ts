import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { book, NAMES, SHEET, sheet } from '@/lib/import/file/xlsx/testing/book'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { importsOfUser } from './testing/imports-api'

const deps = freshDeps()

beforeEach(() => {
  const properties = [
    { name: 'name', type: 'string' },
    { name: 'size', type: 'bigint' },
    { name: 'price', type: 'decimal' },
  ]
  return installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } })
})

const stored = () =>
  rows<{ name: string }>(
    deps.db,
    sql`select name, size::text, price::text, "$extra" ->> 'more' as more from entities.thing order by id`,
  )

/** A workbook of rows, below the names `name` and `size`. */
const ofRows = (...inner: string[]) =>
  book({ [SHEET]: sheet({ rows: inner.map((one) => `<row>${one}</row>`).join('') }) })
const text = (value: string, at = '') =>
  `<c ${at && `r="${at}"`} t="inlineStr"><is><t>${value}</t></is></c>`

async function imported(file: Uint8Array, query = '') {
  const mine = await importsOfUser(deps)
  const done = await mine.result(file, { entityName: 'Thing', fileName: 'things.xlsx', query })
  const reasons = done.refused > 0 ? (await mine.refused(done.id)).text : ''
  return { done, reasons }
}

test('texts that look like errors are texts; error cells and failed formulas are refused', async () => {
  const errors = ['#N/A', '#REF!', '#DIV/0!', '#VALUE!', '#NAME?', '#NUM!', '#NULL!']
  const cells = errors.map((error) => text(error))
  const failed = ['<c t="e"><v>#N/A</v></c>', '<c t="str"><f>1/0</f><v>#DIV/0!</v></c>']
  const { done, reasons } = await imported(ofRows(...cells, ...failed), 'partial=true')
  expect(done).toMatchObject({ created: errors.length, refused: 2 })
  expect((await stored()).map(({ name }) => name)).toEqual(errors)
  for (const error of ['#N/A', '#DIV/0!'])
    expect(reasons).toContain(`the error ${error} of a formula`)
})

test('a formula without its result is refused with the reason; one whose result is an empty text is empty', async () => {
  const without = ['<c><f>A1</f></c>', '<c><f>A1</f><v></v></c>', '<c t="str"><f>A1</f></c>']
  const withResult = [
    '<c t="str"><f>A1</f><v></v></c><c><v>7</v></c>',
    '<c t="str"><f>A1</f><v>Ann</v></c>',
  ]
  const { done, reasons } = await imported(ofRows(...without, ...withResult), 'partial=true')
  expect(done).toMatchObject({ created: 2, refused: 3 })
  expect(reasons.match(/holds a formula without its result/g)).toHaveLength(3)
  expect(await stored()).toMatchObject([{ name: null, size: '7' }, { name: 'Ann' }])
})

test('a name of a column that is a formula without its result is said', async () => {
  const names = `<row><c><f>A9</f></c><c t="s"><v>1</v></c></row>`
  const file = book({ [SHEET]: sheet().replace(NAMES, names) })
  const mine = await importsOfUser(deps)
  const { status, body } = await mine.send(file, { entityName: 'Thing', fileName: 'x.xlsx' })
  expect([status, body.error]).toEqual([
    400,
    expect.stringContaining('first line holds a formula without its result'),
  ])
})

test('a number beyond 2^53 is refused for whole numbers with its digits and the reason', async () => {
  const long = ['9007199254740993', '-9007199254740993', '9.007199254740993E+15', '1e300']
  const cells = long.map((digits) => `${text('Ann')}<c><v>${digits}</v></c>`)
  const last = `${text('Bob')}<c><v>9007199254740991</v></c>`
  const asText = `${text('Cid')}${text('9007199254740993')}`
  const { done, reasons } = await imported(ofRows(...cells, last, asText), 'partial=true')
  expect(done).toMatchObject({ created: 2, refused: 4 })
  expect(reasons).toContain('size 9007199254740993 is beyond 2^53')
  expect(reasons).toContain('make the cell a text')
  expect(reasons).not.toContain('9007199254740992')
  expect(await stored()).toMatchObject([
    { name: 'Bob', size: '9007199254740991' },
    { name: 'Cid', size: '9007199254740993' },
  ])
})

test('a number beyond 2^53 keeps the digits of the file in texts, decimals and undeclared fields', async () => {
  const names = `<row>${text('name')}${text('price')}${text('more')}</row>`
  const numbers = `<row>${'<c><v>9007199254740993</v></c>'.repeat(3)}</row>`
  const file = book({ [SHEET]: sheet({ rows: numbers }).replace(NAMES, names) })
  const mine = await importsOfUser(deps)
  const mapping = { name: 'name', price: 'price', more: 'more' }
  const sent = { entityName: 'Thing', fileName: 'x.xlsx', mapping }
  expect(await mine.result(file, sent)).toMatchObject({ created: 1 })
  const digits = '9007199254740993'
  expect(await stored()).toMatchObject([{ name: digits, price: digits, more: digits }])
})
