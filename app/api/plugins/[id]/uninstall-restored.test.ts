import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { install } from '../testing/plugin-api'
import { readRecords, readTrash, restore, SHOP, SHOP_ID, uninstall } from '../testing/uninstall-api'
import { definedState, deps, schemasOf } from '../testing/uninstalled-state'

describe('what DELETE /api/plugins/:id took away', () => {
  test('can be undone: the database is as it was, and records continue to count', async () => {
    await install(deps, SHOP)
    await deps.db.execute(sql`delete from entities.book where id = 2`)
    const before = await definedState()
    const { batchId } = (await uninstall(deps, SHOP_ID)).body.data[0]
    const { status, body } = await restore(deps, batchId)
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: [{ restored: 4, conflicts: [] }],
    })
    expect(await definedState()).toEqual(before)
    expect((await readRecords(deps, 'Book')).body.pagination.total).toBe(2)
    await deps.db.execute(sql`insert into entities.book (title) values ('new')`)
    expect((await readRecords(deps, 'Book')).body).toMatchObject({
      data: [{ id: 1 }, { id: 3 }, { id: 4, title: 'new' }],
      pagination: { total: 3 },
    })
    expect(await readTrash(deps)).toEqual([])
    expect(await schemasOf(batchId)).toEqual([])
    const { logs } = await install(deps, SHOP)
    const definitions = logs.filter(({ path }) => path.startsWith('Engine'))
    expect(new Set(definitions.map((log) => log.status))).toEqual(new Set(['unchanged']))
  })

  test('is not restored over what exists again, and says what', async () => {
    await install(deps, SHOP)
    const { batchId } = (await uninstall(deps, SHOP_ID)).body.data[0]
    await install(deps, SHOP)
    const before = await definedState()
    const { status, body } = await restore(deps, batchId)
    expect(status).toBe(200)
    expect(body.data[0].restored).toBe(0)
    expect(body.data[0].conflicts.map(({ message }: { message: string }) => message)).toEqual([
      `The plugin "${SHOP_ID}" is installed again; uninstall it first`,
      'The entity "Author" exists again',
      'The entity "Book" exists again',
      'The schema "Author" exists again',
      'The schema "Book" exists again',
      'The type "Short" exists again',
      'The role "Clerk" exists again',
      'The policy "clerks" exists again',
    ])
    expect(await definedState()).toEqual(before)
    expect((await readRecords(deps, 'Book')).body.pagination.total).toBe(3)
    await uninstall(deps, SHOP_ID)
    expect((await restore(deps, batchId)).body.data[0]).toEqual({ restored: 5, conflicts: [] })
  })
})
