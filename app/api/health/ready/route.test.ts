import { describe, expect, test, vi } from 'vitest'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { checkReadiness } from '@/lib/health/check-readiness'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET } from './route'

const deps = freshDeps()

const storageThat = (check: () => Promise<void>) => ({
  ...deps.storage,
  current: { ...deps.storage.current, check },
})
const away = {
  execute: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
} as unknown as Deps['db']
const silent = { execute: () => new Promise(() => {}) } as unknown as Deps['db']

const WHOLE = { workers: 2, unreachable: 0, unresolved: 0 }

describe('GET /api/health/ready', () => {
  test('shows the state of database, mail and storage without a credential', async () => {
    const { status, body } = await call(deps, GET, { path: '/api/health/ready' })
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        status: 'ready',
        database: { status: 'up', kind: deps.dialect, ...(testsOnCitus() && { cluster: WHOLE }) },
        mail: { status: 'not configured' },
        storage: { status: 'up', provider: 'local' },
      },
    ])
  })

  test('is 503 with Retry-After while the database is away', async () => {
    deps.db = away
    const { status, headers, body } = await call(deps, GET, { path: '/api/health/ready' })
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(body).toMatchObject({ data: [], code: 503, status: 'SERVICE_UNAVAILABLE' })
    expect(body.error).toBe('The database does not respond; try again in a moment')
  })

  test('tells a database without a free connection from one that is away', async () => {
    const full = Object.assign(new Error('too many connections'), { code: '53300' })
    deps.db = { execute: () => Promise.reject(full) } as unknown as Deps['db']
    const { status, body } = await call(deps, GET, { path: '/api/health/ready' })
    expect([status, body.error]).toEqual([
      503,
      'The database has no connection free; try again in a moment',
    ])
  })

  test('is not ready when the database does not respond in time', async () => {
    await expect(checkReadiness({ ...deps, db: silent }, 20)).rejects.toThrow(AppError)
  })

  test('stays ready while the storage is down', async () => {
    const storage = storageThat(() => Promise.reject(new AppError('upstream_failed', 'down')))
    const { storage: state } = await checkReadiness({ ...deps, storage })
    expect(state).toEqual({ status: 'down', provider: 'local' })
  })

  test('asks the storage once a minute at most', async () => {
    const check = vi.fn(() => Promise.resolve())
    const storage = storageThat(check)
    await checkReadiness({ ...deps, storage })
    await checkReadiness({ ...deps, storage })
    expect(check).toHaveBeenCalledOnce()
  })
})
