import { expect, test } from 'vitest'
import { archiveOf, pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as COUNT } from '../entities/[entityName]/count/route'
import { install, upload } from '../plugins/testing/plugin-api'
import { BRANCH, CLERKS, changesOf, DENIES, mayRead, notes, PLACE } from './testing/notes'
import { changePolicy, createPolicy, keyOf, readPolicy } from './testing/policies-api'

const deps = freshDeps()

test('a field that is renamed where others may be undeclared does not come to light', async () => {
  const open = { additionalProperties: true }
  await install(deps, notes(BRANCH, open))
  const { where: _, ...all } = CLERKS
  const { id } = (await createPolicy({ ...all, fields: { except: ['branch'] } })).body.data[0]
  const { logs } = await install(deps, notes(PLACE, open))
  expect(changesOf(logs)).toEqual([DENIES.replace('where.0.field', 'fields.except.0')])
  await install(deps, notes({ ...PLACE, name: 'other' }, open))
  expect((await readPolicy(id)).body.data).toMatchObject([{ invalid: expect.any(String) }])
  expect((await changePolicy(id, { priority: 1 })).body.data[0].invalid).not.toBeNull()
  expect(
    (await changePolicy(id, { fields: { except: ['place'] } })).body.data[0].invalid,
  ).toBeNull()
})

test('a plan holds only while the policies about its entities are the same', async () => {
  await install(deps, notes(BRANCH))
  const next = await archiveOf(notes(PLACE))
  const plan = async () => {
    const { body } = await upload(deps, next, { query: '?dryRun=true' })
    return `?seal=${encodeURIComponent(body.data.plan.seal)}`
  }
  const query = await plan()
  await createPolicy(CLERKS)
  const { status, body } = await upload(deps, next, { query })
  expect([status, body.error]).toEqual([409, expect.stringContaining(CLERKS.name)])
  const again = await upload(deps, next, { query: await plan() })
  expect([again.status, again.body.error]).toEqual([200, undefined])
})

test('a policy about all entities allows nothing of a new one that it does not fit, and goes on otherwise', async () => {
  await install(deps, notes(BRANCH))
  const { id } = (await createPolicy({ ...CLERKS, entities: ['*'] })).body.data[0]
  const pens = pluginFiles(
    {
      EngineEntities: { files: { 'Pen.json': { name: 'Pen' } } },
      Pen: { files: { 'data.json': [{ id: 1 }] } },
    },
    { id: 'com.example.pens' },
  )
  const { logs } = await install(deps, pens)
  expect(changesOf(logs)).toEqual([
    `The policy "${CLERKS.name}" does not fit Pen and allows nothing of it: where.0.field: Unknown field "branch"`,
  ])
  expect((await readPolicy(id)).body.data).toMatchObject([{ invalid: null }])
  const headers = await keyOf(['Clerk'])
  expect(await mayRead(headers)).toBe(true)
  const params = { entityName: 'Pen' }
  const pen = await call(deps, COUNT, { path: '/api/entities/Pen/count', params, headers })
  expect(pen.body.data).toEqual([{ count: 0 }])
})
