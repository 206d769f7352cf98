import { expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { install, upload } from '../plugins/testing/plugin-api'
import { BRANCH, CLERKS, changesOf, DENIES, INVALID, mayRead, notes, PLACE } from './testing/notes'
import { changePolicy, createPolicy, keyOf, readPolicy } from './testing/policies-api'

const deps = freshDeps()

test('the plan of an upgrade says which policy no longer fits; it denies from then on until it is mended', async () => {
  await install(deps, notes(BRANCH))
  const { body } = await createPolicy(CLERKS)
  const { id } = body.data[0]
  const headers = await keyOf(['Clerk', 'VIEWER'])
  expect(await mayRead(headers)).toBe(true)

  const planned = await upload(deps, notes(PLACE), { query: '?dryRun=true' })
  expect(changesOf(planned.body.data.plan.files)).toEqual([DENIES])
  expect((await readPolicy(id)).body.data).toMatchObject([{ invalid: null }])

  const { logs } = await install(deps, notes(PLACE))
  expect(changesOf(logs)).toEqual([DENIES])
  expect((await readPolicy(id)).body.data).toMatchObject([
    { invalid: INVALID, where: CLERKS.where },
  ])
  await expect.poll(() => mayRead(headers)).toBe(false)

  expect((await changePolicy(id, { priority: 1 })).status).toBe(400)
  const where = [{ field: 'place', operator: 'eq', value: 'Rome' }]
  const mended = await changePolicy(id, { where })
  expect(mended.body.data).toMatchObject([{ invalid: null, where }])
  await expect.poll(() => mayRead(headers)).toBe(true)
})

test('a policy that fits its entity again is in force again', async () => {
  await install(deps, notes(BRANCH))
  const { id } = (await createPolicy(CLERKS)).body.data[0]
  await install(deps, notes({ ...BRANCH, name: 'other' }))
  expect((await readPolicy(id)).body.data).toMatchObject([{ invalid: expect.any(String) }])
  const { logs } = await install(deps, notes(BRANCH))
  expect(changesOf(logs)).toEqual([`The policy "${CLERKS.name}" fits its entities again`])
  expect((await readPolicy(id)).body.data).toMatchObject([{ invalid: null }])
})

test('a plugin has rows and fields in its policies, which are checked with the entities of its archive', async () => {
  const good = await install(deps, notes(BRANCH, { policy: { ...CLERKS, fields: ['text'] } }))
  expect(good.body.data).toMatchObject({ failedCount: 0 })
  const bad = await install(deps, notes(BRANCH, { policy: { ...CLERKS, fields: ['txt'] } }))
  expect(bad.logs.find(({ status }) => status === 'failed')?.details).toMatchObject([
    { pointer: '/fields/0', message: 'Unknown field "txt"; did you mean "text"?' },
  ])
})
