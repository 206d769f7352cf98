import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { auditedIn, importsOfUser, installPeople } from './testing/imports-api'

const deps = freshDeps()
beforeEach(() => installPeople(deps))

const stored = () =>
  rows<Record<string, unknown>>(
    deps.db,
    sql`select id::int, name, email, size::text, rank::int, kind, open, since::text, tags from entities.person order by id`,
  )

const CSV = `name,email,size,rank,kind,open,since,seen,tags
Ann,ann@example.com,9007199254740993.10,1,big,yes,2024-02-29,2024-01-02T03:04:05Z,"[1,2]"
"Bob ""B"", Jr.",bob@example.com,,,,,,,
`

test('rows of a CSV become records, with exact numbers, defaults and types', async () => {
  const mine = await importsOfUser(deps)
  const { status, body } = await mine.send(CSV)
  expect([status, body.data[0]]).toMatchObject([
    200,
    { status: 'DONE', created: 2, updated: 0, refused: 0, doneRows: 2, format: 'csv', groups: [] },
  ])
  expect(await stored()).toMatchObject([
    {
      ...{ name: 'Ann', size: '9007199254740993.10', rank: 1, kind: 'big', open: true },
      ...{ since: '2024-02-29', tags: [1, 2] },
    },
    { name: 'Bob "B", Jr.', size: null, rank: null, kind: 'small', open: null, tags: null },
  ])
  expect(await auditedIn(deps)).toEqual(['imports.create', 'records.import'])
})

describe('with refused rows', () => {
  const BAD = 'name,rank,kind\nAnn,1,big\n,2,big\nBob,-1,huge\nCid,x,small\n'

  test('nothing is stored, the faults are grouped, and the rows are a file', async () => {
    const mine = await importsOfUser(deps)
    const { status, body } = await mine.send(BAD)
    expect(status).toBe(422)
    expect(body.error).toContain('3 of 4 rows are refused')
    const found = body.meta.import
    expect(found).toMatchObject({ status: 'FAILED', created: 0, refused: 3, refusedRows: 3 })
    expect(found.groups).toMatchObject([
      { rule: 'required', field: 'name', total: 1, indexes: [1] },
      { rule: 'min', field: 'rank', total: 1, indexes: [2] },
      { rule: 'enum', field: 'kind', value: 'huge', total: 1, indexes: [2] },
      { rule: 'type', field: 'rank', value: 'x', total: 1, indexes: [3] },
    ])
    expect(await stored()).toEqual([])
    const file = await mine.refused(found.id)
    expect(file.headers.get('content-disposition')).toContain('people-refused.csv')
    expect(file.text.split('\r\n')).toEqual([
      'name,rank,kind,engine:reason',
      expect.stringMatching(/^,2,big,name /),
      expect.stringMatching(/^Bob,-1,huge,"?rank .*; kind /),
      expect.stringMatching(/^Cid,x,small,rank /),
      '',
    ])
  })

  test('with partial the good ones are stored, and the file corrected is imported with its reasons', async () => {
    const mine = await importsOfUser(deps)
    const { status, body } = await mine.send(BAD, { query: 'partial=true' })
    expect([status, body.data[0]]).toMatchObject([200, { status: 'DONE', created: 1, refused: 3 }])
    const { text } = await mine.refused(body.data[0].id)
    const corrected = text
      .replace('\n,2', '\nDan,2')
      .replace('-1,huge', '3,big')
      .replace('Cid,x', 'Cid,4')
    const again = await mine.result(corrected)
    expect(again).toMatchObject({ status: 'DONE', created: 3 })
    expect(again.columns.at(-1)).toMatchObject({ column: 'engine:reason', field: null })
    expect((await stored()).map(({ name }) => name)).toEqual(['Ann', 'Dan', 'Bob', 'Cid'])
  })

  test('a dry run says the same and stores nothing', async () => {
    const mine = await importsOfUser(deps)
    const dry = await mine.result(BAD, { query: 'dryRun=true' })
    expect(dry).toMatchObject({ status: 'DONE', dryRun: true, created: 1, refused: 3 })
    expect(await stored()).toEqual([])
    const { body } = await mine.send(BAD)
    expect(dry.groups).toEqual(body.meta.import.groups)
    expect(await auditedIn(deps)).toEqual(['imports.create'])
  })
})

test('imports are listed for their owner, who may delete them', async () => {
  const [mine, other] = [await importsOfUser(deps), await importsOfUser(deps, ['ADMIN'])]
  const { id } = await mine.result('name\nAnn\n')
  expect(await mine.list()).toMatchObject([{ id, fileName: 'people.csv', created: 1 }])
  expect(await other.list()).toEqual([])
  for (const act of [other.get, other.cancel, other.remove, other.refused])
    expect((await act(id)).status).toBe(404)
  expect((await mine.refused(id)).status).toBe(409)
  expect((await mine.cancel(id)).status).toBe(409)
  expect((await mine.remove(id)).status).toBe(200)
  expect(await mine.list()).toEqual([])
  expect(await stored()).toHaveLength(1)
})

test('in the background it responds at once', async () => {
  const mine = await importsOfUser(deps)
  const { status, headers, body } = await mine.send(CSV, { headers: { prefer: 'respond-async' } })
  expect([status, body.data[0].status]).toEqual([202, 'WAITING'])
  expect(headers.get('location')).toBe(`/api/imports/${body.data[0].id}`)
  await expect.poll(async () => (await mine.get(body.data[0].id)).body.data[0].status).toBe('DONE')
})
