import { describe, expect, test } from 'vitest'
import { archiveOf, pluginFiles } from '@/lib/testing/archive'
import { ANN, CUSTOMER, customers, install } from '../../testing/customers'

describe('?dryRun=true', () => {
  test('describes table changes in words, and a downgrade', async () => {
    const first = pluginFiles(CUSTOMER, { version: '1.10.0' })
    const preview = await install(first, '?dryRun=true')
    const file = preview.body.data.plan.files.find(
      ({ path }: { path: string }) => path === 'EngineEntities/Customer.json',
    )
    expect(file.changes.join('\n')).toMatch(/customer/i)
    await install(first)
    expect(
      (await install(pluginFiles(CUSTOMER, { version: '1.9.0' }), '?dryRun=true')).body.data.plan,
    ).toMatchObject({ isDowngrade: true, installedVersion: '1.10.0' })
  })

  test('the same archive and state give the same seal, another state another', async () => {
    const archive = await archiveOf(pluginFiles({ ...CUSTOMER, ...customers(ANN) }))
    const seal = async () => (await install(archive, '?dryRun=true')).body.data.plan.seal
    const first = await seal()
    expect(await seal()).toBe(first)
    await install(archive)
    expect(await seal()).not.toBe(first)
  })
})
