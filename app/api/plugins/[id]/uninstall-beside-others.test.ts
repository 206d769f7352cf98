import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { install } from '../testing/plugin-api'
import { LOANS, LOANS_ID, restore, SHOP, SHOP_ID, uninstall } from '../testing/uninstall-api'
import { definedState, deps } from '../testing/uninstalled-state'

describe('what DELETE /api/plugins/:id took away', () => {
  test('goes together with plugins that need it, and comes back with them', async () => {
    await install(deps, SHOP)
    await install(deps, LOANS)
    const before = await definedState()
    const { status, body } = await uninstall(deps, SHOP_ID, `?with=${LOANS_ID}`)
    expect(status).toBe(200)
    expect(body.data[0].entities.map(({ name }: { name: string }) => name)).toEqual([
      'Author',
      'Book',
      'Loan',
    ])
    expect((await restore(deps, body.data[0].batchId)).body.data[0].restored).toBe(6)
    expect(await definedState()).toEqual(before)
  })

  test('does not keep records of others from being deleted, and refers to them again when it is back', async () => {
    await install(deps, SHOP)
    await install(deps, LOANS)
    const before = await definedState()
    const { batchId } = (await uninstall(deps, LOANS_ID)).body.data[0]
    await deps.db.execute(sql`delete from entities.book where id = 3`)
    await deps.db.execute(sql`insert into entities.book (id, title) values (3, 'again')`)
    expect((await restore(deps, batchId)).status).toBe(200)
    expect((await definedState()).structure).toEqual(before.structure)
    await expect(deps.db.execute(sql`delete from entities.book where id = 1`)).rejects.toThrow()
  })
})
