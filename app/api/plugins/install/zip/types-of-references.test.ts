import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { install, upload } from '../../testing/plugin-api'
import { deps } from '../../testing/reference-plugins'

test('a reference that a new type of the key ends is noted, with the reason', async () => {
  const version = (type: string) =>
    pluginFiles({
      EngineEntities: {
        files: {
          'P.json': { name: 'Parent', pks: [{ key: 'id', strategy: 'Fixed', type }] },
          'Q.json': { name: 'Child' },
        },
      },
      EngineSchemas: {
        files: {
          'Q.json': {
            name: 'Child',
            properties: [
              { name: 'r', type: 'decimal', reference: { entity: 'Parent', field: 'id' } },
            ],
          },
        },
      },
    })
  await install(deps, version('number'))
  const files = version('string')
  const { plan } = (await upload(deps, files, { query: '?dryRun=true' })).body.data
  const { logs } = await install(deps, files)
  const note =
    'The reference of Child.r is no longer enforced: r is decimal but Parent.id is string'
  for (const files of [plan.files, logs])
    expect(files.flatMap(({ changes }: { changes: string[] }) => changes)).toContain(note)
})
