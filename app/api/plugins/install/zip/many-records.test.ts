import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { install } from '../../testing/plugin-api'

const MAX_RECORDS = 2_000
const deps = freshDeps({ MAX_RECORDS: String(MAX_RECORDS) })

test('more records than the limit fail their file with words, and no other', async () => {
  const files = pluginFiles({
    EngineEntities: { files: { 'Note.json': { name: 'Note' } } },
    Note: { files: { 'data.json': `[{"id":0}${',{}'.repeat(MAX_RECORDS)}]` } },
  })
  const { logs } = await install(deps, files)
  expect(logs).toMatchObject([
    { path: 'EngineEntities/Note.json', status: 'created' },
    {
      path: 'Note/data.json',
      status: 'failed',
      error: 'Invalid record',
      details: [{ message: expect.stringMatching(/more than 2000 records \(MAX_RECORDS\)/) }],
    },
  ])
})
