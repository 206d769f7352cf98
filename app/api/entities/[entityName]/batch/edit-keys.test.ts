import { beforeEach, describe, expect, test } from 'vitest'
import { freshDeps, testsOfCore } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { POST as RESTORE } from '../../../trash/[batchId]/restore/route'
import { POST as SEARCH } from '../search/route'
import { PATCH } from './route'

const deps = freshDeps()

/** Slots by shop and time, with exact numbers; each may refer to a shop. */
beforeEach(async () => {
  const pks = (...keys: string[]) => keys.map((key) => ({ key, strategy: 'Fixed', type: 'string' }))
  await installTestEntity(
    deps,
    { entity: { name: 'Shop', pks: pks('code') }, schema: { properties: [] } },
    [{ code: 'a' }, { code: 'b' }],
  )
  await installTestEntity(
    deps,
    {
      entity: { name: 'Slot', pks: pks('shop', 'at') },
      schema: {
        properties: [
          { name: 'at', type: 'Date' },
          { name: 'owner', type: 'string', reference: { entity: 'Shop', field: 'code' } },
          { name: 'seats', type: 'bigint' },
        ],
      },
    },
    [1, 2, 3].map((n) => ({
      ...{ shop: 'a', at: `2026-01-0${n}T10:00:00.123Z`, owner: 'a' },
      seats: '9007199254740993',
    })),
  )
})

const edit = (set: object, url = '') =>
  call(deps, PATCH, {
    ...{ method: 'PATCH', path: `/api/entities/Slot/batch?${url}`, as: 'ADMIN' },
    params: { entityName: 'Slot' },
    body: {
      entity: 'Slot',
      query: [{ field: 'at', operator: 'gte', value: '2026-01-02T00:00:00Z' }],
      set,
    },
  })

const undo = (batchId: string) =>
  call(deps, RESTORE, {
    ...{ method: 'POST', path: `/api/trash/${batchId}/restore`, as: 'ADMIN' },
    params: { batchId },
  })

const slots = async () => {
  const { text } = await call(deps, SEARCH, {
    ...{ method: 'POST', path: '/api/entities/Slot/search', as: 'ADMIN', body: {} },
    params: { entityName: 'Slot' },
  })
  return [...text.matchAll(/"owner":("?\w+"?),"seats":(\d+)/g)].map(([, owner, seats]) => [
    owner,
    seats,
  ])
}

describe('an edit of records with keys of several parts', () => {
  test.skipIf(testsOfCore())('calculates, shows and restores every digit', async () => {
    const set = { seats: { $increment: 1 }, owner: 'b' }
    const { text } = await edit(set, 'dryRun=true')
    expect(text).toContain('"before":{"seats":9007199254740993,"owner":"a"}')
    expect(text).toContain('"after":{"seats":9007199254740994,"owner":"b"}')
    const { body } = await edit(set, 'undo=1d&expected=2')
    expect(await slots()).toEqual([
      ['"a"', '9007199254740993'],
      ['"b"', '9007199254740994'],
      ['"b"', '9007199254740994'],
    ])
    const undone = await undo(body.meta.batchId)
    expect(undone.body.data).toEqual([{ restored: 2, conflicts: [] }])
    expect(await slots()).toEqual(Array(3).fill(['"a"', '9007199254740993']))
  })

  test('names the records that would refer to nothing', async () => {
    const { status, body } = await edit({ owner: 'absent' })
    expect(status).toBe(400)
    expect(body.validations).toHaveLength(2)
    expect(body.validations[0]).toEqual({
      field: 'set.owner',
      error: expect.stringMatching(/which is not in Shop.*record a, 2026-01-02T10:00:00.123Z/),
    })
  })

  test('names none of them to who may not read, only their number', async () => {
    const { status, body } = await call(deps, PATCH, {
      ...{
        method: 'PATCH',
        path: '/api/entities/Slot/batch',
        as: 'ADMIN',
        scopes: ['Slot:update'],
      },
      params: { entityName: 'Slot' },
      body: { entity: 'Slot', set: { owner: 'absent' } },
    })
    const error = 'refers to nothing in Shop (3 records)'
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: `set.owner: ${error}; nothing was changed` },
    })
    expect(body.validations).toEqual([{ field: 'set.owner', error }])
  })
})
