import { expect, test } from 'vitest'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { GET, PATCH } from '../[id]/route'
import { POST as CREATE } from '../route'
import { POST } from './route'

const deps = freshDeps()
const params = { entityName: 'Order' }
const WRITERS = 3
/** A statement waits two seconds for a lock; timers may be a little early. */
const LOCK_MS = 1_900

test.runIf(testsOnCitus())(
  'writers wait while an entity is moved, and nothing of theirs is lost',
  async () => {
    await installTestEntity(deps, { entity: { name: 'Order', distribution: 'local' } }, [{ n: 0 }])
    let isMoved = false
    const refused: unknown[] = []
    let created = 0
    let changes = 0
    const send = async (spec: Parameters<typeof call>[2], handler: Parameters<typeof call>[1]) => {
      const began = performance.now()
      const { status, body } = await call(deps, handler, spec)
      // A writer that waited its time for a slow move is told to try again, and does.
      const waited = status === 503 && handler !== POST && performance.now() - began >= LOCK_MS
      if (status >= 300 && !waited) refused.push([status, body.error])
      return status < 300
    }
    const write = async () => {
      while (!isMoved) {
        const path = '/api/entities/Order'
        if (await send({ method: 'POST', path, params, body: { n: 1 }, as: 'ADMIN' }, CREATE))
          created++
        const id = { ...params, id: '1' }
        const change = { method: 'PATCH', path: `${path}/1`, params: id, body: { n: changes } }
        if (await send({ ...change, as: 'ADMIN' }, PATCH)) changes++
      }
    }
    const writers = Array.from({ length: WRITERS }, write)
    for (const distribution of [{ by: 'id' }, 'local', { by: 'id' }, 'reference'])
      await send({ method: 'POST', path: '/', params, body: { distribution }, as: 'ADMIN' }, POST)
    isMoved = true
    await Promise.all(writers)
    expect(refused).toEqual([])
    const { body } = await call(deps, GET, {
      path: '/',
      params: { ...params, id: '1' },
      as: 'ADMIN',
    })
    expect(body.data).toHaveLength(1)
    const stored = await deps.db.execute('select count(*)::int as count from entities."order"')
    expect(JSON.stringify(stored)).toContain(`"count":${created + 1}`)
    expect(changes).toBeGreaterThan(0)
  },
)
