import { expect, test } from 'vitest'
import { archiveOf, pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as COUNT } from '../entities/[entityName]/count/route'
import { type Files, install, upload } from '../plugins/testing/plugin-api'
import { changePolicy, createPolicy, keyOf, readPolicy } from './testing/policies-api'

const deps = freshDeps()

type Options = { policy?: object; additionalProperties?: boolean }

/** Notes of a branch, whose field has a name, and a policy of the plugin itself. */
const notes = (field: object, { policy, additionalProperties = false }: Options = {}): Files =>
  pluginFiles({
    EngineEntities: {
      files: { 'Note.json': { name: 'Note', pks: [{ key: 'id', strategy: 'Fixed' }] } },
    },
    EngineSchemas: {
      files: {
        'Note.json': {
          name: 'Note',
          additionalProperties,
          properties: [{ name: 'text', type: 'string' }, field],
        },
      },
    },
    ...(policy ? { EnginePolicies: { files: { 'policies.json': [policy] } } } : {}),
  })

const BRANCH = { name: 'branch', type: 'string' }
const PLACE = { name: 'place', type: 'string', meta: { renamedFrom: 'branch' } }
const CLERKS = {
  name: 'Clerks read notes of their branch',
  principals: ['Clerk'],
  entities: ['Note'],
  actions: ['read'],
  where: [{ field: 'branch', operator: 'eq', value: 'Rome' }],
}

const mayRead = async (headers: Record<string, string>) => {
  const params = { entityName: 'Note' }
  const { status } = await call(deps, COUNT, { path: '/api/entities/Note/count', params, headers })
  return status === 200
}

const changesOf = (files: { path: string; changes: string[] }[]) =>
  files.flatMap(({ changes }) => changes).filter((text) => text.includes('policy'))

const INVALID = 'where.0.field: Note has no field "branch" any more; it is called "place" now'
const DENIES = `The policy "${CLERKS.name}" no longer fits, and denies all that it names until it is mended: ${INVALID}`

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
