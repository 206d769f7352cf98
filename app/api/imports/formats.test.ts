import { sql } from 'drizzle-orm'
import { writeXlsx } from 'hucre/xlsx'
import { beforeEach, describe, expect, test } from 'vitest'
import { POST as EXPORT } from '@/app/api/entities/[entityName]/export/route'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { testRequest } from '@/lib/testing/request'
import { importsOfUser, installPeople } from './testing/imports-api'

const deps = freshDeps()
beforeEach(() => installPeople(deps))

const stored = () =>
  rows<Record<string, unknown>>(
    deps.db,
    sql`select name, size::text, rank::int, kind, open, since::text, to_char(seen at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS') as seen, tags::text from entities.person order by id`,
  )

test('JSON: values as they are, every digit kept, an item that is no object named', async () => {
  const mine = await importsOfUser(deps)
  const file = `[{"name":"Ann","size":9007199254740993.1,"tags":{"n":9007199254740993}},{"name":"Bob","kind":null,"rank":"5"}]`
  expect(await mine.result(file, { fileName: 'x.json', query: 'partial=true' })).toMatchObject({
    ...{ format: 'json', created: 1, refused: 1, groups: [{ rule: 'type', field: 'rank' }] },
  })
  expect(await stored()).toMatchObject([
    { name: 'Ann', size: '9007199254740993.1', tags: '{"n": 9007199254740993}' },
  ])
  for (const [bad, message] of [
    ['[{"name":"A"},3]', 'Item 1 is not an object'],
    ['[{"name":"A"},{"name":}]', 'Line 1, column 23: Expected a value'],
    ['[{"name":"A"}', 'Line 1'],
  ] as const) {
    const { status, body } = await mine.send(bad, { fileName: 'x.json' })
    expect([status >= 400, body.error]).toEqual([true, expect.stringContaining(message)])
  }
})

test('JSON Lines: a line that is no JSON is a refused row', async () => {
  const mine = await importsOfUser(deps)
  const file =
    '{"name":"Ann","size":12345678901234567890.5}\r\n\n{"name":"Bob"\n[1]\n{"name":"Cid"}'
  const done = await mine.result(file, { fileName: 'x.jsonl', query: 'partial=true' })
  expect(done).toMatchObject({ format: 'jsonl', created: 2, refused: 2, doneRows: 4 })
  const { text } = await mine.refused(done.id)
  expect(text).toContain('"{""name"":""Bob""",')
  expect(text).toContain('is not valid JSON: ')
  expect(await stored()).toMatchObject([{ size: '12345678901234567890.5' }, { name: 'Cid' }])
})

describe('XLSX', () => {
  const HEAD = ['name', 'size', 'rank', 'kind', 'open', 'since', 'seen', 'tags']
  const day = new Date('2024-02-29T00:00:00Z')
  const moment = new Date('2024-02-29T12:30:00Z')
  const book = (data: unknown[][], more = {}) =>
    writeXlsx({ sheets: [{ name: 'One', rows: [HEAD, ...data] as never }], ...more })

  test('numbers, booleans, days and instants; a number is a text where the field is', async () => {
    const mine = await importsOfUser(deps)
    const file = await book([
      ['Ann', 0.1, 5, 'big', true, day, moment, '[1]'],
      [12, 3, null, '', false, '2024-01-02', null, null],
    ])
    expect(await mine.result(file, { fileName: 'x.xlsx' })).toMatchObject({
      format: 'xlsx',
      created: 2,
    })
    expect(await stored()).toMatchObject([
      {
        ...{ name: 'Ann', size: '0.1', rank: 5, kind: 'big', open: true, tags: '[1]' },
        ...{ since: '2024-02-29', seen: '2024-02-29T12:30:00' },
      },
      { name: '12', size: '3', rank: null, since: '2024-01-02', seen: null },
    ])
  })

  test('dates of 1904', async () => {
    const mine = await importsOfUser(deps)
    const file = await book([['Ann', 1, 1, 'big', true, day, moment, null]], { dateSystem: '1904' })
    expect(await mine.result(file, { fileName: 'x.xlsx' })).toMatchObject({ created: 1 })
    expect(await stored()).toMatchObject([{ since: '2024-02-29', seen: '2024-02-29T12:30:00' }])
  })

  test('errors of formulas, times in days and cells beyond the first line are refused', async () => {
    const mine = await importsOfUser(deps)
    const file = await book([
      ['#REF!'],
      ['Bob', null, null, null, null, moment],
      ['Cid', ...Array(7).fill(null), 'more'],
      ['Dan', 'many'],
    ])
    const done = await mine.result(file, { fileName: 'x.xlsx' })
    expect(done).toMatchObject({ status: 'FAILED', refused: 4 })
    const { text } = await mine.refused(done.id)
    for (const reason of ['holds the error #REF! of a formula', 'since ', 'has 9 cells', 'size '])
      expect(text).toContain(reason)
  })

  test('another sheet by its name', async () => {
    const mine = await importsOfUser(deps)
    const file = await writeXlsx({
      sheets: [
        { name: 'One', rows: [['x']] },
        { name: 'Two', rows: [['name'], ['Ann']] },
      ],
    })
    const fileName = 'x.xlsx'
    expect(await mine.result(file, { fileName, query: 'sheet=Two' })).toMatchObject({ created: 1 })
    const { status, body } = await mine.send(file, { fileName, query: 'sheet=Three' })
    expect([status, body.error]).toEqual([400, expect.stringContaining('no sheet "Three"')])
  })

  test.each([
    ['no archive', Buffer.from('PK\u0003\u0004 and nothing else, but long enough to be looked at')],
    ['an old XLS', Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)])],
  ])('%s is refused', async (_, bytes) => {
    const mine = await importsOfUser(deps)
    const { status, body } = await mine.send(bytes, { fileName: 'x.xlsx' })
    expect([status, body.error]).toEqual([400, expect.stringMatching(/can't be read|password/)])
  })
})

describe('encodings', () => {
  const TEXT = 'name\nZoë Müller €\n'
  const latin = Buffer.concat([
    Buffer.from('name\nZo'),
    Buffer.from([0xeb]),
    Buffer.from(' M'),
    Buffer.from([0xfc]),
    Buffer.from('ller '),
    Buffer.from([0x80]),
    Buffer.from('\n'),
  ])
  test.each([
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`), ''],
    ['UTF-16LE with a mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le'), ''],
    ['UTF-16BE with a mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le').swap16(), ''],
    ['Windows-1252', latin, 'encoding=windows-1252'],
  ])('%s', async (_, bytes, query) => {
    const mine = await importsOfUser(deps)
    expect(await mine.result(bytes, { query })).toMatchObject({ created: 1 })
    expect(await stored()).toMatchObject([{ name: 'Zoë Müller €' }])
  })

  test('what is not UTF-8 is refused, not guessed', async () => {
    const mine = await importsOfUser(deps)
    const { status, body } = await mine.send(latin)
    expect([status, body.error]).toEqual([400, expect.stringContaining('encoding=windows-1252')])
  })
})

test.each(['csv', 'json', 'xlsx'])(
  'an export as %s is imported again as it was',
  async (format) => {
    const mine = await importsOfUser(deps)
    await mine.send(
      'name,email,size,rank,kind,open,since,seen,tags\nAnn,ann@example.com,9007199254740993.10,1,big,yes,2024-02-29,2024-01-02T03:04:05Z,"{""a"":[1,null]}"\n"A, ""B""\r\nC",,,,,,,,\n',
    )
    const before = await stored()
    const path = `/api/entities/Person/export?format=${format}`
    const request = await testRequest(deps, {
      method: 'POST',
      path,
      body: {},
      headers: mine.headers,
    })
    const file = await EXPORT(request, { params: Promise.resolve({ entityName: 'Person' }) })
    const bytes = new Uint8Array(await file.arrayBuffer())
    await deps.db.execute(sql`delete from entities.person`)
    const done = await mine.result(bytes, { fileName: `people.${format}` })
    expect(done).toMatchObject({ status: 'DONE', created: 2, error: null })
    expect(await stored()).toEqual(before)
  },
)
