import { describe, expect, test } from 'vitest'
import { DELETE as DESTROY } from '@/app/api/trash/[batchId]/route'
import { databaseState } from '@/lib/testing/database-state'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { install } from '../testing/plugin-api'
import { LOANS, LOANS_ID, SHOP, SHOP_ID, uninstall } from '../testing/uninstall-api'

const deps = freshDeps()

describe('DELETE /api/plugins/:id', () => {
  test('is refused while entities of another plugin refer to its own', async () => {
    await install(deps, SHOP)
    await install(deps, LOANS)
    const before = await databaseState(deps.db)
    const { status, body } = await uninstall(deps, SHOP_ID)
    expect(status).toBe(409)
    expect(body.error).toBe(
      `"Loan" of ${LOANS_ID} refers to "Book" (by "book"): uninstall them together (with=${LOANS_ID}), or keep the tables (records=keep)`,
    )
    const blocker = { entity: 'Loan', pluginId: LOANS_ID, field: 'book', target: 'Book' }
    expect(body.meta).toEqual({ blockedBy: [blocker] })
    expect((await uninstall(deps, SHOP_ID, '?dryRun=true')).body.data[0].blockedBy).toEqual([
      blocker,
    ])
    expect(await databaseState(deps.db)).toEqual(before)
  })

  test('an unknown plugin is 404, with the nearest name', async () => {
    await install(deps, SHOP)
    expect(await uninstall(deps, 'com.example.shob')).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining(`did you mean "${SHOP_ID}"?`) },
    })
    expect((await uninstall(deps, SHOP_ID, '?with=com.example.none')).status).toBe(404)
    expect((await uninstall(deps, SHOP_ID, '?records=some')).status).toBe(400)
  })

  test('needs the rights to delete what goes', async () => {
    await install(deps, SHOP)
    const attempt = (...scopes: string[]) => uninstall(deps, SHOP_ID, '', scopes)
    for (const scopes of [
      ['plugins:install', 'users:manage', 'Book:delete'],
      ['plugins:install', '*:delete'],
      ['users:manage', '*:delete'],
    ])
      expect((await attempt(...scopes)).status).toBe(403)
    const done = await attempt('plugins:install', 'users:manage', '*:delete')
    expect(done.status).toBe(200)
    const [{ batchId }] = done.body.data
    const destroy = (...scopes: string[]) =>
      call(deps, DESTROY, {
        ...{ method: 'DELETE', path: `/api/trash/${batchId}`, params: { batchId } },
        ...{ as: 'ADMIN', scopes },
      })
    for (const scopes of [['plugins:install'], ['plugins:install', 'Book:delete'], ['*:delete']])
      expect((await destroy(...scopes)).status).toBe(403)
    expect((await destroy('plugins:install', '*:delete')).status).toBe(200)
  })
})
