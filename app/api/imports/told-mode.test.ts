import { beforeEach, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { auditedIn, importsOfUser, installPeople } from './testing/imports-api'

const deps = freshDeps()
beforeEach(() =>
  installPeople(deps, [
    { id: '1', name: 'Ann', email: 'ann@example.com' },
    { id: '2', name: 'Bob', email: 'bob@example.com' },
  ]),
)

const EDITOR = ['EDITOR']

test.each([
  [
    'all rows are stored',
    'email,rank\nann@example.com,1\nbob@example.com,2\n',
    'update',
    ['email'],
  ],
  ['some are', 'email,name\nann@example.com,Anna\ncid@example.com,Cid\n', 'upsert', ['email']],
  ['none is', 'email,name\ncid@example.com,Cid\n', 'create', ['email']],
  ['their key is there', 'id,rank\n1,1\n2,2\n', 'update', ['id']],
  ['a row has no key', 'id,name\n1,Ann\n,Cid\n', 'upsert', ['id']],
  ['another field is at fault', 'id,rank\n1,high\n2,2\n', 'update', ['id']],
  ['a row comes twice', 'id,rank\n1,3\n1,2\n', 'update', ['id']],
  ['no field identifies records', 'name\nAnn\n', 'create', []],
])('without a mode it follows: %s', async (_, file, mode, key) => {
  const mine = await importsOfUser(deps, EDITOR)
  const { status, body } = await mine.preview(file)
  expect(status).toBe(200)
  expect(body.data[0]).toMatchObject({ mode, key })
})

test('rows that are updated need no field but their key', async () => {
  const mine = await importsOfUser(deps, EDITOR)
  const { body } = await mine.preview('email,rank\nann@example.com,1\n')
  expect(body.data[0].groups).toEqual([])
})

test('a mode that is asked for stays', async () => {
  const mine = await importsOfUser(deps, EDITOR)
  const { body } = await mine.preview('id,rank\n1,1\n', { query: 'mode=create' })
  expect(body.data[0]).toMatchObject({ mode: 'create', groups: [{ rule: 'required' }] })
})

test('who may only create records is not told which are stored', async () => {
  const mine = await importsOfUser(deps, EDITOR, ['Person:write'])
  const { status, body } = await mine.preview('email,name\nann@example.com,Anna\n')
  expect([status, body.data[0]]).toMatchObject([200, { mode: 'create', key: [] }])
})

test('a dry run leaves nothing in the audit log, whatever becomes of it', async () => {
  const mine = await importsOfUser(deps, EDITOR)
  const { id } = await mine.result('name,rank\nCid,1\n', { query: 'dryRun=true' })
  await mine.result('name,rank\nCid,-1\n', { query: 'dryRun=true' })
  expect((await mine.remove(id)).status).toBe(200)
  expect(await auditedIn(deps)).toEqual([])
})
