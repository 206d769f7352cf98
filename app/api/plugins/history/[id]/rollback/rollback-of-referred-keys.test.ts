import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { rollback, run, state } from '../../../testing/rollbacks'
import { owner, pet } from '../../../testing/wider-keys'

test('a reference of another plugin to a key that widened has its type again', async () => {
  await run(pluginFiles(owner({ type: 'integer' }, [{ label: 'Ann' }])))
  await run(pet('integer', [{ owner: 1 }]))
  const before = await state()
  const second = await run(pluginFiles(owner({ type: 'string', pk: 'string' })))
  const after = await state()
  const { body } = await rollback(second)
  expect(await state()).toEqual(before)
  await rollback(body.data.history)
  expect(await state()).toEqual(after)
})
