import { describe, expect, test } from 'vitest'
import { GET as KEYS, POST as MAKE_KEY } from '@/app/api/api-keys/route'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { databaseState } from '@/lib/testing/database-state'
import { foreignKeys, tableIndexDefinitions } from '@/lib/testing/define'
import { call } from '@/lib/testing/request'
import { verdicts } from '../../testing/plugin-api'
import { recordsOf } from '../../testing/records'
import { customers, deps, people, records, renamed, shop } from '../../testing/renamed-shop'
import { installed } from '../../testing/versions'

describe('an entity with renamedFrom', () => {
  test('takes over the table with its records, counter, indexes, references and totals', async () => {
    await installed(shop('Person', { data: people }))
    await recordsOf(deps, 'Note').create({ about: 1 })
    const logs = await installed(shop('Customer', { entity: renamed }))
    expect(verdicts(logs)).toMatchObject({ 'EngineEntities/Customer.json': 'updated' })
    expect(logs.flatMap(({ changes }) => changes)).toContain(
      'Rename the table entities.person to entities.customer',
    )
    expect(logs.flatMap(({ changes }) => changes).join('\n')).not.toMatch(/enforced/)
    expect(await records('Customer')).toEqual(customers)
    expect((await recordsOf(deps, 'Person').read(1)).status).toBe(404)
    expect((await recordsOf(deps, 'Customer').create({})).body.data).toMatchObject([{ id: 3 }])
    expect((await recordsOf(deps, 'Customer').create({ email: 'a@b.ch' })).status).toBe(409)
    expect((await recordsOf(deps, 'Customer').remove(1)).status).toBe(409)
    expect(await foreignKeys(deps)).toEqual([
      'customer.boss → customer.id',
      'note.about → customer.id',
    ])
    const again = await installed(shop('Customer', { entity: renamed }))
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set(['unchanged']))
    expect(await tableIndexDefinitions(deps, 'person')).toEqual([])
  })

  test('is followed by policies, scopes of API keys and the trash', async () => {
    const policy = {
      name: 'Sales',
      principals: ['seller'],
      entities: ['person', 'Note'],
      actions: ['read'],
    }
    const others = { EnginePolicies: { files: { 'Sales.json': policy } } }
    await installed(shop('Person', { data: people, others }))
    await call(deps, MAKE_KEY, {
      method: 'POST',
      path: '/api/api-keys',
      body: { name: 'sync', scopes: ['Person:read', 'Note:read'] },
      as: 'ADMIN',
    })
    const { body } = await recordsOf(deps, 'Person').remove(2, '?undo=1d')
    const logs = await installed(shop('Customer', { entity: renamed }))
    expect(logs.flatMap(({ changes }) => changes)).toContain(
      'Changed to the new names of Customer too: 1 undoable change, 1 policy, 1 API key',
    )
    const keys = await call(deps, KEYS, { path: '/api/api-keys', as: 'ADMIN' })
    const scopes = keys.body.data.flatMap((key: { scopes: string[] | null }) => key.scopes ?? [])
    expect(scopes).toEqual(['Customer:read', 'Note:read'])
    const state = await databaseState(deps.db)
    expect(state['engine.policies']?.join()).toMatch(/customer/)
    expect(state['engine.policies']?.join()).not.toMatch(/person/i)
    const { batchId } = body.meta
    await call(deps, RESTORE, {
      method: 'POST',
      path: `/api/trash/${batchId}/restore`,
      params: { batchId },
      as: 'ADMIN',
    })
    expect(await records('Customer')).toEqual(customers)
  })
})
