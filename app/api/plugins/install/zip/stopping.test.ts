import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { rows } from '@/lib/db/rows'
import { pluginLock } from '@/lib/plugins/install-lock'
import { endInstalls } from '@/lib/plugins/running-installs'
import type { Deps } from '@/lib/runtime'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { POST } from './route'

let deps: Deps
vi.mock('@/lib/runtime', () => ({ getDeps: async () => deps }))

const CUSTOMER = {
  EngineEntities: {
    files: {
      'Customer.json': {
        name: 'Customer',
        pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }],
      },
    },
  },
}

test('an install in flight has its end in the history before the server that stops has closed', async () => {
  deps = await testDeps()
  const body = uploadOf(await archiveOf(pluginFiles(CUSTOMER)))
  await deps.locks.hold(pluginLock('com.example.shop'), 0, async () => {
    const started = await call(deps, POST, {
      method: 'POST',
      path: '/api/plugins/install/zip',
      headers: { prefer: 'respond-async' },
      body,
      as: 'ADMIN',
    })
    expect(started.status).toBe(202)
    await endInstalls(0)
    const found = await rows(deps.db, sql`select status, errors from engine.installs`)
    expect(found).toEqual([
      { status: 'FAILED', errors: [expect.stringContaining('The server was stopped')] },
    ])
  })
})
