import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { install } from '../testing/plugin-api'
import { LOANS, readRecords, restore, SHOP, SHOP_ID, uninstall } from '../testing/uninstall-api'
import { definedState, deps } from '../testing/uninstalled-state'

describe('what DELETE /api/plugins/:id took away', () => {
  test('with records=keep its entities stay and belong to no plugin', async () => {
    await install(deps, SHOP)
    await install(deps, LOANS)
    const before = await definedState()
    const { status, body } = await uninstall(deps, SHOP_ID, '?records=keep')
    expect(status).toBe(200)
    expect((await readRecords(deps, 'Book')).body.pagination.total).toBe(3)
    expect(
      await rows(deps.db, sql`select distinct plugin_id from engine.entities where name <> 'Loan'`),
    ).toEqual([{ plugin_id: null }])
    expect(await rows(deps.db, sql`select * from engine.policies`)).toEqual([])
    expect((await restore(deps, body.data[0].batchId)).status).toBe(200)
    expect(await definedState()).toEqual(before)
  })
})
