import { describe, expect, test } from 'vitest'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { add, built, CODE, deps, NAME, sort, stored, version } from './testing/added-indexes'

describe('an added index', () => {
  test('of an undeclared field becomes one of its column when it is declared', async () => {
    await install(deps, version([NAME], {}, [{ name: '1', size: 3 }]))
    await add({ fields: [sort('size')] })
    await built()
    expect((await stored())[0]).toContain('jsonb_typeof')
    const { body } = await install(deps, version([NAME, { name: 'size', type: 'integer' }]))
    expect(body.data.failedCount).toBe(0)
    expect(await stored()).toEqual(['thing USING btree (size, id)'])
  })

  test('is made again with a table that is made again', async () => {
    await install(deps, version([NAME, CODE]))
    await add({ fields: ['code'] })
    await built()
    const { body } = await install(deps, version([NAME, CODE], { dbTable: 'moved' }))
    expect(body.data.failedCount).toBe(0)
    expect(await stored()).toEqual(['moved USING btree (code, id)'])
  })
})
