import { describe, expect, test } from 'vitest'
import { validateArchive } from '@/lib/archives/validate-archive'
import { archiveOf, pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { install, upload } from '../../testing/plugin-api'

const deps = freshDeps()

const RECORDS = [{ name: 'Cup' }, { name: 'Dish' }]
const SCHEMA = { name: 'Thing', properties: [{ name: 'name', type: 'string' }] }
const files = (content: unknown, schema: object | null = null) =>
  pluginFiles({
    ...(schema ? { EngineSchemas: { files: { 'Thing.json': schema } } } : {}),
    EngineEntities: { files: { 'Thing.json': { name: 'Thing' } } },
    Thing: { files: { 'data.json': content } },
  })

const WARNING =
  'The file is one record; if its records are the 2 objects in "data", make the file that list'

type Reported = { path: string; warnings: { message: string }[] }
const saidIn = (reports: readonly Reported[]) =>
  reports.find(({ path }) => path === 'Thing/data.json')?.warnings.map(({ message }) => message)

/** What log, plan and validation say, which must be the same. */
async function said(archive: Record<string, unknown>): Promise<string[] | undefined> {
  const planned = await upload(deps, archive, { query: '?dryRun=true' })
  const { logs } = await install(deps, archive)
  expect(saidIn(planned.body.data.plan.files)).toEqual(saidIn(logs))
  const { files: checked } = await validateArchive(await archiveOf(archive), deps.settings)
  expect(saidIn(checked)).toEqual(saidIn(logs))
  return saidIn(logs)
}

describe('a data file that is the response of an API', () => {
  test.each<[string, object, object | null]>([
    ['of this one', { data: RECORDS, timestamp: 1, code: 200, status: 'OK', meta: {} }, null],
    ['of an entity with an open schema', { data: RECORDS }, SCHEMA],
    [
      'of a closed entity, which refuses it',
      { data: RECORDS },
      { ...SCHEMA, additionalProperties: false },
    ],
    ['that is large', { data: RECORDS, note: 'x'.repeat(300_000) }, null],
  ])('is warned of: %s', async (_, content, schema) => {
    expect(await said(files(content, schema))).toEqual([WARNING])
  })

  test.each<[string, unknown, object | null]>([
    [
      'one record whose list is declared',
      { data: RECORDS },
      { name: 'Thing', properties: [{ name: 'data', type: 'json' }] },
    ],
    ['one record with a declared field', { name: 'Set', items: RECORDS }, SCHEMA],
    ['one record with another list', { title: 'Set', parts: RECORDS }, null],
    ['one record with a list of texts', { data: ['a', 'b'] }, null],
    ['a list of records', [{ data: RECORDS }, { data: [] }], null],
  ])('is not taken for %s', async (_, content, schema) => {
    expect(await said(files(content, schema))).toEqual([])
  })
})
