import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { POST as EXPORT } from '@/app/api/entities/[entityName]/export/route'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { testRequest } from '@/lib/testing/request'
import { importsOfUser } from './testing/imports-api'

const deps = freshDeps()

/** What a spreadsheet would run, alone and inside, and what looks as if it had been made harmless. */
const TEXTS = ['+49 30', '=1+1', "'=1+1", '-5', '\t=x', 'a;=1', "a;'=1", "O'Neill", "'", 'x|@y;+z']
const FIELDS = ['id', 'text', 'anything', 'size', 'doc', '-odd']

beforeEach(() => {
  const properties = [
    { name: 'text', type: 'string' },
    { name: 'anything', type: 'json' },
    { name: 'size', type: 'integer' },
    { name: 'doc', type: 'json' },
  ]
  const records = TEXTS.map((text, at) => ({
    ...{ id: at + 1, text, anything: `x${text}`, size: -at, doc: { text }, '-odd': text },
  }))
  return installTestEntity(deps, { entity: { name: 'Note' }, schema: { properties } }, records)
})

const stored = () => rows(deps.db, sql`select * from entities.note order by id`)

test('a CSV export is imported as what it was', async () => {
  const mine = await importsOfUser(deps)
  const { headers } = mine
  const path = '/api/entities/Note/export?format=csv'
  const params = Promise.resolve({ entityName: 'Note' })
  const request = await testRequest(deps, {
    ...{ method: 'POST', path, body: { fields: FIELDS }, headers },
  })
  const file = await (await EXPORT(request, { params })).text()
  expect(file).toContain("'+49 30")
  const before = await stored()
  const mapping = Object.fromEntries(FIELDS.map((name) => [name, name]))
  const sent = { entityName: 'Note', mapping }
  const same = await mine.result(file, { ...sent, query: 'mode=upsert' })
  expect(same).toMatchObject({ unchanged: TEXTS.length, updated: 0, created: 0, refused: 0 })
  await deps.db.execute(sql`delete from entities.note`)
  expect(await mine.result(file, sent)).toMatchObject({ created: TEXTS.length })
  expect(await stored()).toEqual(before)
})

test.each(['csv', 'xlsx'])(
  'an export as %s, imported again, leaves undeclared values their types',
  async (format) => {
    const values = { '-odd': '7', count: 7, flag: true, list: ['a', 'b'], object: { b: 1, a: [2] } }
    const mine = await importsOfUser(deps)
    const mapping = Object.fromEntries(['id', ...Object.keys(values)].map((name) => [name, name]))
    const sent = { entityName: 'Note', query: 'mode=update' }
    const input = JSON.stringify([{ id: 1, ...values }])
    await mine.result(input, { ...sent, mapping, fileName: 'note.json' })
    const fields = ['id', ...Object.keys(values)]
    const request = await testRequest(deps, {
      ...{ method: 'POST', path: `/api/entities/Note/export?format=${format}` },
      ...{ headers: mine.headers, body: { fields } },
    })
    const exported = await EXPORT(request, { params: Promise.resolve({ entityName: 'Note' }) })
    const file = new Uint8Array(await exported.arrayBuffer())
    const before = await stored()
    expect(await mine.result(file, { ...sent, fileName: `note.${format}` })).toMatchObject({
      updated: 0,
      unchanged: TEXTS.length,
    })
    expect(await stored()).toEqual(before)

    const other = `id,count,flag\n1,8,true\n`
    expect(await mine.result(other, { ...sent, fileName: 'note.csv' })).toMatchObject({
      updated: 1,
    })
    expect((await stored())[0]).toMatchObject({ $extra: { ...values, count: '8' } })
  },
)

test('refused rows of a workbook or of JSON keep their texts when they are corrected as CSV', async () => {
  const mine = await importsOfUser(deps)
  const file = JSON.stringify([{ id: 100, text: "'=1", size: 'no number' }])
  const done = await mine.result(file, { entityName: 'Note', fileName: 'n.json' })
  const { text } = await mine.refused(done.id)
  const corrected = text.replace('no number', '7')
  const again = await mine.result(corrected, { entityName: 'Note' })
  expect(again).toMatchObject({ created: 1 })
  expect((await stored()).at(-1)).toMatchObject({ text: "'=1" })
})
