import { sql } from 'drizzle-orm'
import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { POST as EXPORT } from '@/app/api/entities/[entityName]/export/route'
import { exportsOfUser } from '@/app/api/exports/testing/exports-api'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { importsOfUser } from './testing/imports-api'

const deps = freshDeps()

const LONG = `Once ${'upon a time '.repeat(5_000)}`
const WIDE = '😀'.repeat(16_384)
const FULL = `${'😀x'.repeat(10_922)}y`
const properties = [
  { name: 'code', type: 'string' },
  { name: 'text', type: 'text', meta: { required: true } },
  { name: 'doc', type: 'json' },
]
const entity = { name: 'Thing', pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }] }

const install = (...records: object[]) =>
  installTestEntity(deps, { entity, schema: { properties } }, records)

const exported = (body: object = {}) =>
  call(deps, EXPORT, {
    ...{ method: 'POST', path: '/api/entities/Thing/export?format=xlsx', body, as: 'VIEWER' },
    params: { entityName: 'Thing' },
  })

test.each([
  ['text', { text: LONG }],
  ['text', { text: WIDE }],
  ['doc', { text: 'a', doc: { LONG } }],
  ['more', { text: 'a', more: LONG }],
])('a %s that no cell of a sheet holds is refused, not cut', async (field, record) => {
  await install({ code: 'a', text: 'short' }, { code: 'b', ...record })
  const { status, body } = await exported()
  expect([status, body.error]).toEqual([
    422,
    expect.stringContaining(`"${field}" of the record b has more than 32,767 characters`),
  ])
  expect((await exported({ fields: ['code'] })).status).toBe(200)
})

test('a text that just fills a cell is exported', async () => {
  await install({ code: 'a', text: FULL, doc: 'x'.repeat(32_767) })
  expect(FULL).toHaveLength(32_767)
  expect((await exported()).status).toBe(200)
})

test('an export in the background says which text is too long', async () => {
  await install({ code: 'b', text: LONG })
  const owner = await exportsOfUser(deps)
  const id = await owner.prepare('format=xlsx')
  expect(await owner.read(id)).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining('"text" of the record b'),
  })
})

/** As exports were cut before, and as spreadsheets cut. */
const MARKED = (text: string) => `${text.slice(0, 32_766)}…`
const PLAIN = (text: string) => text.slice(0, 32_767)

test.each([
  ['with a mark', MARKED],
  ['without one', PLAIN],
])(
  'a text cut %s leaves the longer stored one as it is; a changed one is stored',
  async (_, cut) => {
    await install(
      { code: 'a', text: LONG, doc: { LONG }, more: LONG },
      { code: 'b', text: WIDE },
      { code: 'c', text: LONG },
      { code: 'd', text: LONG.slice(0, 32_768) },
    )
    const stored = () =>
      rows<{ text: string }>(deps.db, sql`select * from entities.thing order by code`)
    const before = await stored()
    const changed = cut(`Not ${LONG}`)
    const table = [
      ['code', 'text', 'doc', 'more'],
      ['a', cut(LONG), cut(`{"LONG": "${LONG}"}`), cut(LONG)],
      ['b', cut(WIDE), null, null],
      ['c', changed, null, null],
      ['d', cut(LONG), null, null],
    ]
    const file = await writeXlsx({ sheets: [{ name: 'One', rows: table }] })
    const mine = await importsOfUser(deps)
    const sent = { entityName: 'Thing', fileName: 'x.xlsx' }
    for (const mode of ['upsert', 'update']) {
      const done = await mine.result(file, { ...sent, query: `mode=${mode}` })
      expect(done).toMatchObject({ refused: 0, created: 0 })
    }
    const after = await stored()
    expect(after.toSpliced(2, 1)).toEqual(before.toSpliced(2, 1))
    expect(after[2]?.text).toBe(changed)
  },
)
