import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { install } from '../../testing/plugin-api'
import { deps, said, shop, text } from '../../testing/said-of-definitions'

describe('a plan says', () => {
  test('nothing about definitions in an archive without any, or of other plugins', async () => {
    await install(deps, shop([text('name')]))
    const data = pluginFiles({ Customer: { files: { 'data.json': [{ id: 1 }] } } })
    expect(await said(data)).toEqual([])
    const other = { id: 'com.example.other' }
    const files = pluginFiles({ EngineEntities: { files: { 'A.json': { name: 'A' } } } }, other)
    expect((await said(files)).filter((line) => line.includes('no longer'))).toEqual([])
  })

  test('what changes for those who use an entity', async () => {
    await install(deps, shop([text('name')]))
    const lines = await said(
      shop([text('name')], [], {
        permissions: { write: false },
        insertDuplicate: 'Upsert',
        updateStrategy: 'Replace',
      }),
    )
    expect(lines).toEqual([
      'No longer permit the action "write" on the records of Customer',
      'Change insertDuplicate of Customer from Error to Upsert',
      'Change updateStrategy of Customer from Upsert to Replace',
    ])
  })
})
