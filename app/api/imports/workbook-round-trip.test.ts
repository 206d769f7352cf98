import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { POST as PROPOSE } from '@/app/api/entities/definition-from-file/route'
import { GET as DOWNLOAD } from '@/app/api/exports/[id]/file/route'
import { exportsOfUser } from '@/app/api/exports/testing/exports-api'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testRequest } from '@/lib/testing/request'
import { exportedBook } from './testing/exported-book'
import { importsOfUser } from './testing/imports-api'

const deps = freshDeps()

/** What a sheet would decode, take for an error, or not hold. */
const TEXTS = [
  ...['Title_x0020_Name', '_x005F_x0020_', '_x0041_x0042_', '__x0041_', '_x00e9_', '_x41_', '_x'],
  ...[
    '#N/A',
    '#REF!',
    '#DIV/0!',
    '#VALUE!',
    '=1+1',
    "'=1",
    ' two  spaces ',
    'a\r\nb\tc',
    '\u0001<&>"',
  ],
]

beforeEach(() => {
  const properties = [
    { name: 'code', type: 'string' },
    { name: 'text', type: 'string' },
    { name: 'doc', type: 'json' },
  ]
  const records = TEXTS.map((text, at) => ({
    ...{ code: `ID_x003${at % 10}_${at}`, text, doc: { text }, more_x0041_: text },
  }))
  const entity = { name: 'Thing', pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }] }
  return installTestEntity(deps, { entity, schema: { properties } }, records)
})

const stored = () => rows(deps.db, sql`select * from entities.thing order by code`)

async function prepared(): Promise<Uint8Array> {
  const owner = await exportsOfUser(deps)
  const id = await owner.prepare('format=xlsx')
  const request = await testRequest(deps, {
    path: `/api/exports/${id}/file`,
    headers: owner.headers,
  })
  const response = await DOWNLOAD(request, { params: Promise.resolve({ id }) })
  return new Uint8Array(await response.arrayBuffer())
}

test.each([
  ['an export', () => exportedBook(deps, 'Thing')],
  ['an export in the background', prepared],
])('%s as XLSX is imported as what it was, whatever its texts look like', async (_, make) => {
  const file = await make()
  const mine = await importsOfUser(deps)
  const sent = { entityName: 'Thing', fileName: 'things.xlsx' }
  const before = await stored()
  const same = await mine.result(file, { ...sent, query: 'mode=upsert' })
  expect(same).toMatchObject({ unchanged: TEXTS.length, created: 0, updated: 0, refused: 0 })
  await deps.db.execute(sql`delete from entities.thing`)
  expect(await mine.result(file, sent)).toMatchObject({ created: TEXTS.length, refused: 0 })
  expect(await stored()).toEqual(before)
})

test('a definition that is made of an exported workbook has its names and values', async () => {
  const body = new FormData()
  body.set('file', new File([(await exportedBook(deps, 'Thing')) as BlobPart], 'Thing.xlsx'))
  const path = '/api/entities/definition-from-file'
  const found = await call(deps, PROPOSE, { method: 'POST', path, body, as: 'ADMIN' })
  const { columns } = found.body.data[0]
  expect(columns.map(({ column }: { column: string }) => column)).toContain('more_x0041_')
  expect(columns[0].samples[0]).toBe('ID_x0030_0')
})
