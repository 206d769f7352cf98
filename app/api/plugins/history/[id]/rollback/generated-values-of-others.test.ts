import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { drift, generated, TOKEN } from '../../../testing/generated-values'
import { rolledBack, run, state, v1 } from '../../../testing/rollbacks'
import { text, version } from '../../../testing/versions'

const OTHER = 'com.example.other'
const other = (...records: object[]) =>
  pluginFiles({ Thing: { files: { 'data.json': records } } }, { id: OTHER })

test('generated values are no edits of what another plugin gave, also when their field comes back', async () => {
  await run(v1())
  await run(other({ id: 20, name: 'Other' }, { id: 1, name: 'Cup' }))
  const before = await state()
  const upgraded = await run(generated())
  const after = await state()
  expect(await drift(OTHER)).toEqual([])
  const back = await rolledBack(upgraded)
  expect(await state()).toEqual(before)
  await rolledBack(back)
  expect(await state()).toEqual(after)
})

test('those of a field that became required go on rollback', async () => {
  await run(version({ properties: [text('token', { default: 'uuid' })] }))
  await run(other({ id: 20, token: null }, { id: 21 }, { id: 22, token: 'q' }))
  const before = await state()
  const upgraded = await run(version({ properties: [TOKEN] }))
  expect(await drift(OTHER)).toEqual([])
  await rolledBack(upgraded)
  expect(await state()).toEqual(before)
})
