import { expect, test } from 'vitest'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import type { Handler } from '@/lib/http/route'
import { uninstallPlugin } from '@/lib/lifecycle/uninstall-plugin'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { install } from './plugin-api'
import { readRecords, SHOP, SHOP_ID } from './uninstall-api'

export const deps = freshDeps()

const actor: Actor = {
  type: 'user',
  id: crypto.randomUUID(),
  name: 'other@example.com',
  userId: crypto.randomUUID(),
  roles: ['ADMIN'],
  scopes: null,
  address: null,
}

/** As another instance does it whose message has not arrived. */
export function uninstallElsewhere() {
  const bus = { publish: async () => {}, subscribe: async () => async () => {} }
  const other = { ...deps, bus } as unknown as Deps
  return uninstallPlugin(other, {
    ...{ pluginId: SHOP_ID, dryRun: false, records: 'trash', actor, requestId: 'test' },
  })
}

/** What is requested, its handler, method, path after the entity's and body. */
type Requested = readonly [string, Handler, string, string, unknown]

export function testNotFoundElsewhere(requests: readonly Requested[]): void {
  test.each(requests)(
    '%s of an entity that another instance removed is 404',
    async (_, handler, method, path, body) => {
      await install(deps, SHOP)
      expect((await readRecords(deps, 'Book')).status).toBe(200)
      await uninstallElsewhere()
      const { status, body: refused } = await call(deps, handler, {
        method,
        path: `/api/entities/Book${path}`,
        body,
        as: 'ADMIN',
        params: { entityName: 'Book', ...(path === '/1' ? { id: '1' } : {}) },
      })
      expect({ status, error: refused.error }).toMatchObject({
        status: 404,
        error: expect.stringContaining('There is no entity "Book"'),
      })
    },
  )
}
