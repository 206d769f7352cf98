import { beforeEach, describe, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { importsOfUser, installPeople } from './testing/imports-api'

const deps = freshDeps()
beforeEach(() => installPeople(deps))

const CSV = `Full name,E-Mail,rank,Remarks\nAnn,ann@example.com,1,x\nBob,ann,high,\n,b@example.com,high,y\n`

test('a preview says what columns become, with samples, and checks the first rows', async () => {
  const mine = await importsOfUser(deps)
  const { status, body } = await mine.preview(CSV)
  expect(status).toBe(200)
  const [found] = body.data
  expect(found.columns).toEqual([
    {
      ...{ column: 'Full name', field: 'name', by: 'name', reason: null },
      samples: ['Ann', 'Bob'],
    },
    {
      ...{ column: 'E-Mail', field: 'email', by: 'name', reason: null },
      samples: ['ann@example.com', 'ann', 'b@example.com'],
    },
    { column: 'rank', field: 'rank', by: 'name', reason: null, samples: ['1', 'high'] },
    {
      ...{ column: 'Remarks', field: null, by: 'ignored', reason: 'is not a field of Person' },
      samples: ['x', 'y'],
    },
  ])
  expect(found).toMatchObject({ format: 'csv', rows: 3, open: false, keys: [['id'], ['email']] })
  expect(found.groups).toMatchObject([
    { rule: 'type', field: 'rank', value: 'high', total: 2 },
    { rule: 'format', field: 'email', total: 1 },
    { rule: 'required', field: 'name', total: 1 },
  ])
  expect(found.fields).toContainEqual({
    ...{ name: 'name', label: 'Full name', type: 'string', required: true },
  })
  expect(found.fields).toContainEqual({ name: 'id', label: null, type: 'bigint', required: false })
  expect(await mine.list()).toEqual([])
})

test('a mapping and the mode decide what is checked', async () => {
  const mine = await importsOfUser(deps)
  const mapping = { 'Full name': null, 'E-Mail': 'name', rank: null, Remarks: null }
  const { body } = await mine.preview(CSV, { mapping })
  expect(body.data[0].groups).toEqual([])
  const update = await mine.preview('email,rank\na@example.com,1\n', {
    query: 'mode=update&key=email',
  })
  expect(update.body.data[0].groups).toEqual([])
  const create = await mine.preview('email,rank\na@example.com,1\n')
  expect(create.body.data[0].groups).toMatchObject([{ rule: 'required', field: 'name' }])
})

describe('of the beginning of a file', () => {
  test.each([
    ['a quote', 'people.csv', 'name,rank\nAnn,1\n"Bob', 400],
    ['a record', 'people.jsonl', '{"name":"Ann"}\n{"na', 200],
    ['a character', 'people.csv', 'name\nAnn\nB\u00f6', 400],
  ])('cut in %s, the last row is left out', async (_, fileName, text, statusOfWhole) => {
    const mine = await importsOfUser(deps)
    const bytes = Buffer.from(text).subarray(0, -1)
    const { body } = await mine.preview(bytes, { fileName, query: 'cut=true' })
    expect(body.data[0]).toMatchObject({ rows: 1, groups: [] })
    const whole = await mine.preview(bytes, { fileName })
    expect(whole.status).toBe(statusOfWhole)
    expect(whole.body.data[0]?.groups).not.toEqual([])
  })

  test('JSON ends with its last whole record', async () => {
    const mine = await importsOfUser(deps)
    const records = Array.from({ length: 40 }, (_, n) => ({ name: `${n} ${'x'.repeat(10_000)}` }))
    const text = JSON.stringify(records).slice(0, 300_000)
    const sent = { fileName: 'people.json' }
    const { body } = await mine.preview(text, { ...sent, query: 'cut=true' })
    expect(body.data[0].rows).toBeGreaterThan(20)
    expect((await mine.preview(text, sent)).status).toBe(400)
  })
})

test('what can not be read is refused with its place, and no right is needed less than to import', async () => {
  const mine = await importsOfUser(deps)
  const broken = await mine.preview('name\n"Ann\n')
  expect([broken.status, broken.body.error]).toEqual([
    400,
    expect.stringContaining('Line 2: a quote that begins here is never closed'),
  ])
  const viewer = await importsOfUser(deps, ['VIEWER'])
  expect((await viewer.preview(CSV)).status).toBe(403)
  const writer = await importsOfUser(deps, ['ADMIN'], ['Person:write'])
  expect((await writer.preview(CSV, { query: 'mode=upsert' })).status).toBe(403)
})
