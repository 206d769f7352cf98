import { describe, expect, test } from 'vitest'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { giveAdvice } from '@/lib/advice/give-advice'
import { built, CODE, deps, NAME, sort, start, stored, version } from './testing/added-indexes'

describe('an added index', () => {
  test('follows its field to another type, and goes where the type can not have it', async () => {
    await start({ fields: [sort('name')] }, { fields: ['name'], kind: 'trigram' })
    const { body } = await install(deps, version([{ name: 'name', type: 'integer' }, CODE]))
    expect(body.data.failedCount).toBe(0)
    expect(await stored()).toEqual(['thing USING btree (name, id)'])
    const { meta } = await giveAdvice(deps, 'Thing')
    expect(meta.indexes.map(({ kind, state }) => [kind, state])).toEqual([
      ['btree', 'ready'],
      ['trigram', 'failed'],
    ])
    await install(deps, version([NAME, CODE]))
    await built()
    expect(await stored()).toHaveLength(2)
  })

  test('goes with a field that is no longer served, and comes back with it', async () => {
    await start({ fields: ['code'] })
    await install(deps, version([NAME]))
    expect(await stored()).toEqual([])
    await install(deps, version([NAME, CODE]))
    await built()
    expect(await stored()).toEqual(['thing USING btree (code, id)'])
  })
})
