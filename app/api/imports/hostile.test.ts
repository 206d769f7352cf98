import { writeXlsx } from 'hucre/xlsx'
import { beforeEach, expect, test } from 'vitest'
import { book, SHEET } from '@/lib/import/file/xlsx/testing/book'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { importsOfUser, installPeople } from './testing/imports-api'

const deps = freshDeps({ MAX_IMPORT_BYTES: String(8 * 1024 * 1024) })
beforeEach(() => installPeople(deps))

const columns = (count: number) => Array.from({ length: count }, (_, n) => `c${n}`).join(',')

test.each([
  ['nothing', '', 'a file that is not empty'],
  ['blank lines alone', '\n\n', 'The file is empty'],
  ['10,000 columns', `${columns(10_000)}\n`, 'has 10000 columns; at most 2000'],
  ['one name twice', 'name,name\nAnn,Bob\n', 'Two columns are called "name"'],
  ['a line without end', `name\n${'x'.repeat(5_000_000)}`, null],
  ['a first line without end', 'x'.repeat(5_000_000), 'Line 1: is longer than 4,194,304'],
  ['a first quote without end', `"name\n${'x\n'.repeat(100)}`, 'Line 1: a quote that begins here'],
  ['more than a file may have', 'x'.repeat(9_000_000), 'larger than 8 MiB'],
  ['bytes that are no text', Buffer.from([0x6e, 0x0a, 0xff, 0xfe, 0x80]), 'not valid UTF-8'],
  ['names without a text', ',,\n1,2,3\n', 'names no columns'],
])('%s', async (_, file, message) => {
  const mine = await importsOfUser(deps)
  const { status, body } = await mine.send(file)
  if (message === null) expect([status, body.error]).toMatchObject([422, expect.any(String)])
  else expect([status, body.error]).toEqual([expect.any(Number), expect.stringContaining(message)])
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
})

test('parameters in the form, and fields that are unknown, are refused: a dry run would store', async () => {
  const mine = await importsOfUser(deps)
  const { status, body } = await mine.send('name\nAnn\n', {
    fields: { dryRun: 'true', maping: '{}' },
  })
  expect(status).toBe(400)
  expect(body.validations).toEqual([
    { field: 'dryRun', error: expect.stringContaining('?dryRun=…') },
    { field: 'maping', error: expect.stringContaining('did you mean "mapping"?') },
  ])
})

test('a mapping that is sent as a file is refused, not left out', async () => {
  const mine = await importsOfUser(deps)
  const mapping = new File(['{"name":"email"}'], 'mapping.json')
  const { status, body } = await mine.send('name\nAnn\n', { fields: { mapping } })
  expect([status, body.validations]).toEqual([
    400,
    [{ field: 'mapping', error: expect.stringContaining('send this as a text field') }],
  ])
})

test('a quote that is never closed ends the import, with its line, and stores nothing', async () => {
  const mine = await importsOfUser(deps)
  const file = `name\nAnn\nBob\n"Cid\nDan\n`
  const { status, body } = await mine.send(file, { query: 'partial=true' })
  expect([status, body.error]).toEqual([
    422,
    'Line 4: a quote that begins here is never closed. Nothing is stored',
  ])
  expect(body.meta.import).toMatchObject({ status: 'FAILED', created: 0 })
})

test('what the database cannot store is refused by row; formulas stay texts', async () => {
  const mine = await importsOfUser(deps)
  const file = `name,rank\n=1+1,1\nA\u0000B,1\n,99999999999999999999\nx,1e5\n`
  const done = await mine.result(file, { query: 'partial=true' })
  expect(done).toMatchObject({ created: 2, refused: 2 })
  const { text } = await mine.refused(done.id)
  expect(text).toContain('rank must be')
})

test('a workbook that unpacks to more than it may is refused before it is unpacked', async () => {
  const mine = await importsOfUser(deps)
  const book = await writeXlsx({ sheets: [{ name: 'One', rows: [['name'], ['Ann']] }] })
  const bytes = Buffer.from(book)
  const at = bytes.lastIndexOf(Buffer.from('xl/styles.xml')) - 46
  bytes.writeUInt32LE(129 * 1024 * 1024, at + 24)
  const { status, body } = await mine.send(bytes, { fileName: 'x.xlsx' })
  expect([status, body.error]).toEqual([400, expect.stringMatching(/impossible sizes|unpacks to/)])
})

test('a text of 300 MiB that packs into 300 KiB is refused before it is unpacked', async () => {
  const mine = await importsOfUser(deps)
  const text = Buffer.alloc(300 * 1024 * 1024, 'x')
  const begin = '<worksheet><sheetData><row><c t="inlineStr"><is><t>'
  const end = '</t></is></c></row></sheetData></worksheet>'
  const bomb = book({ [SHEET]: Buffer.concat([Buffer.from(begin), text, Buffer.from(end)]) })
  const { status, body } = await mine.send(bomb, { fileName: 'x.xlsx' })
  expect([status, body.error]).toEqual([400, expect.stringContaining('unpack to 300 MiB')])
})

test('many shared texts', async () => {
  const mine = await importsOfUser(deps)
  const rows = Array.from({ length: 20_000 }, (_, n) => [`name ${n} ${'x'.repeat(50)}`])
  const book = await writeXlsx({ sheets: [{ name: 'One', rows: [['name'], ...rows] }] })
  expect(await mine.result(book, { fileName: 'x.xlsx' })).toMatchObject({ created: 20_000 })
})

test('one long text that fills a wide row', async () => {
  const mine = await importsOfUser(deps)
  const names = Array.from({ length: 200 }, (_, n) => (n === 0 ? 'name' : `c${n}`))
  const long = Array(200).fill('x'.repeat(30_000))
  const book = await writeXlsx({ sheets: [{ name: 'One', rows: [names, long] }] })
  const query = 'unknownColumns=ignore'
  const { status, body } = await mine.send(book, { fileName: 'x.xlsx', query })
  expect([status, body.error]).toEqual([400, expect.stringContaining('row 2 holds too much text')])
})

test('of a row with very many faults the first are named', async () => {
  await installTestEntity(deps, {
    entity: { name: 'Wide' },
    schema: {
      properties: Array.from({ length: 50 }, (_, n) => ({ name: `c${n}`, type: 'integer' })),
    },
  })
  const mine = await importsOfUser(deps)
  const file = `${columns(50)}\n${Array(50).fill('x').join(',')}\n`
  const done = await mine.result(file, { entityName: 'Wide' })
  expect(done).toMatchObject({ refused: 1, groups: expect.any(Array) })
  const { text } = await mine.refused(done.id)
  expect(text.match(/must be/g)).toHaveLength(10)
})
