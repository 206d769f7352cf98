import { expect, test } from 'vitest'
import { exportPlugin } from '@/app/api/plugins/testing/export-api'
import { deps, installed } from '@/app/api/plugins/testing/versions'
import { owner } from '@/app/api/plugins/testing/wider-keys'
import { pluginFiles } from '@/lib/testing/archive'

const ID = 'com.example.pets'
const REFERENCE = { entity: 'Owner', field: 'id' }
const first = (value: number | string) => ({ value, label: 'The first', color: 'red' })

test('choices of numbers are choices of texts when the key that they refer to becomes one', async () => {
  await installed(pluginFiles(owner({ type: 'integer' }, [{}, {}])))
  const meta = { enum: [first(1), 2], unit: 'th', numberFormat: { decimals: 0 }, group: 'Whose' }
  const properties = [{ name: 'owner', type: 'integer', meta: { ...meta, reference: REFERENCE } }]
  await installed(
    pluginFiles(
      {
        EngineEntities: { files: { 'Pet.json': { name: 'Pet' } } },
        EngineSchemas: { files: { 'Pet.json': { name: 'Pet', properties } } },
      },
      { id: ID },
    ),
  )
  await installed(pluginFiles(owner({ type: 'string', pk: 'string' })))
  const { files } = await exportPlugin(deps, ID)
  expect(JSON.parse(files['EngineSchemas/Pet.json'] ?? '').properties).toEqual([
    {
      ...{ name: 'owner', type: 'string' },
      meta: { enum: [first('1'), '2'], group: 'Whose', reference: REFERENCE },
    },
  ])
})
