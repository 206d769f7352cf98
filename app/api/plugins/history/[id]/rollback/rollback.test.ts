import { expect, test } from 'vitest'
import { historyOf } from '../../../testing/plugin-api'
import { rollback, run, state, v1, v2 } from '../../../testing/rollbacks'
import { deps } from '../../../testing/versions'

test('an install without later edits is undone without a trace, and done again', async () => {
  const empty = await state()
  const first = await run(v1())
  const before = await state()
  const second = await run(v2(), '?removed=delete')
  const after = await state()
  const { status, body } = await rollback(second)
  expect({ status, body }).toMatchObject({ status: 200, body: { data: { failedCount: 0 } } })
  expect(await state()).toEqual(before)
  expect(await historyOf(deps, body.data.history)).toMatchObject({
    kind: 'rollback',
    rollbackOf: second,
    status: 'SUCCESS',
  })
  const again = await rollback(body.data.history)
  expect(again.status).toBe(200)
  expect(await state()).toEqual(after)
  expect((await rollback(second)).status).toBe(200)
  expect(await state()).toEqual(before)
  expect((await rollback(first)).status).toBe(200)
  expect(await state()).toEqual(empty)
  expect((await rollback(first)).status).toBe(409)
})

test('only the last install can be rolled back, by who may change its records', async () => {
  const first = await run(v1())
  const second = await run(v2())
  expect(await rollback(first)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining(`${second}`) },
  })
  expect((await rollback(999)).status).toBe(404)
  expect((await rollback(second, '', 'EDITOR')).status).toBe(403)
})
