import { describe, expect, test } from 'vitest'
import { DELETE as DELETE_BATCH } from '@/app/api/entities/[entityName]/batch/route'
import { testsOnCitus } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { COUNTED_ID, COUNTED_TYPES, counted, requireCounting } from './testing/counted'
import { rolledBack, run } from './testing/rollbacks'
import { restore, uninstall } from './testing/uninstall-api'
import { deps } from './testing/versions'

/** Returns the batch. */
async function taken(query = ''): Promise<string> {
  const { status, body } = await uninstall(deps, COUNTED_ID, query)
  expect(status).toBe(200)
  return body.data[0].batchId
}

/** Deletes all records; returns the batch. */
async function emptied(): Promise<string> {
  const { body } = await call(deps, DELETE_BATCH, {
    method: 'DELETE',
    path: '/api/entities/Item/batch?undo=7d',
    body: { entity: 'Item' },
    as: 'ADMIN',
    params: { entityName: 'Item' },
  })
  return body.meta.batchId
}

describe.each(COUNTED_TYPES)('the counter of a key (%s)', (type) => {
  test('goes on when a table is made again by the rollback of a rollback, once and twice', async () => {
    const id = await run(counted(type))
    const again = await rolledBack(await rolledBack(id))
    await requireCounting(deps)
    await rolledBack(await rolledBack(again))
    await requireCounting(deps)
  })

  test('goes on when a table comes back from the trash', async () => {
    await run(counted(type))
    expect((await restore(deps, await taken())).status).toBe(200)
    await requireCounting(deps)
  })

  test('goes on when a plugin takes back what was kept', async () => {
    await run(counted(type))
    await taken('?records=keep')
    await run(counted(type))
    await requireCounting(deps)
  })

  test('goes on when records come back from the trash into a table that was made again', async () => {
    const id = await run(counted(type))
    const batch = await emptied()
    await rolledBack(await rolledBack(id))
    await restore(deps, batch)
    await requireCounting(deps)
  })

  test('goes on when an entity gets another name, and its former one again', async () => {
    await run(counted(type))
    const id = await run(counted(type, { name: 'Thing', renamedFrom: 'Item' }))
    await requireCounting(deps, 'Thing')
    await rolledBack(id)
    await requireCounting(deps)
  })

  test('goes on when its type changes, and back', async () => {
    const other = type === 'number' ? 'string' : 'number'
    await run(counted(type))
    const id = await run(counted(other))
    await requireCounting(deps)
    await rolledBack(id)
    await requireCounting(deps)
  })

  test.runIf(testsOnCitus())(
    'goes on when records move to the nodes of a cluster, and back',
    async () => {
      await run(counted(type))
      for (const distribution of [{ by: 'id' }, 'reference', 'local', { by: 'id' }]) {
        const id = await run(counted(type, { distribution }))
        await requireCounting(deps)
        await rolledBack(id)
        await requireCounting(deps)
      }
    },
  )
})
