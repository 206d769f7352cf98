import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { checkDryRun } from '../../testing/check-dry-run'
import { counting } from '../../testing/counting'

const deps = freshDeps()

const moved = (dbTable: string, data: object[]) =>
  pluginFiles({
    EngineSchemas: {
      files: {
        'Thing.json': {
          name: 'Thing',
          properties: [{ name: 'code', type: 'string', unique: true }],
        },
      },
    },
    EngineEntities: { files: { 'Thing.json': { name: 'Thing', dbTable } } },
    Thing: { files: { 'data.json': data } },
  })

test('an empty entity that moves to another table gets its records there in a dry run too', async () => {
  const files = await checkDryRun(
    deps,
    moved('first', []),
    moved('second', [{ code: 'a' }]),
    'partial',
  )
  expect(files.map(({ status }) => status)).not.toContain('failed')
})

test('an entity with records that would move to another table is refused in the same words', async () => {
  const data = [{ code: 'a' }]
  const files = await checkDryRun(deps, moved('first', data), moved('second', data), 'partial')
  const refused = files.find(({ error }) => error === 'Incompatible change')
  expect(refused?.groups).toMatchObject([{ message: expect.stringContaining('entities.second') }])
})

test.each(['UUID', 'AutoIncrement'])(
  'a key made by %s is not reported for a record that fails',
  async (strategy) => {
    const pks = [{ key: 'id', strategy, type: 'string' }]
    const properties = [{ name: 'code', type: 'string', unique: true }]
    const files = pluginFiles({
      EngineSchemas: { files: { 'Thing.json': { name: 'Thing', properties } } },
      EngineEntities: { files: { 'Thing.json': { name: 'Thing', pks } } },
      Thing: { files: { 'data.json': [{ code: 'a' }, { code: 'a' }, { id: 'mine', code: 'a' }] } },
    })
    const reports = await checkDryRun(deps, counting([]), files, 'partial')
    expect(reports.at(-1)?.details).toMatchObject([{ index: 1 }, { index: 2, key: 'mine' }])
    expect(reports.at(-1)?.details[0]).not.toHaveProperty('key')
  },
)
