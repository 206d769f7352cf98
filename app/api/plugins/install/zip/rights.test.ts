import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import type { InstallPreview } from '@/lib/plugins/contract'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { type Files, install as installAsAdmin, logsOf, verdicts } from '../../testing/plugin-api'
import { POST } from './route'

const deps = freshDeps()

const post = async (files: Files, scopes: string[], query = '') =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/install/zip${query}`,
    body: uploadOf(await archiveOf(files)),
    as: 'ADMIN',
    scopes,
  })

/** Installs with a key of these scopes, after a dry run that must say the same. */
async function install(files: Files, ...scopes: string[]) {
  const all = ['plugins:install', ...scopes]
  const plan: InstallPreview = (await post(files, all, '?dryRun=true')).body.data[0]
  const logs = await logsOf(deps, (await post(files, all)).body.data.history)
  const essence = ({ path, error, details, records }: (typeof logs)[number]) => ({
    path,
    error,
    details,
    records,
  })
  expect(plan.files.map(essence)).toEqual(logs.map(essence))
  const failed = logs.find(({ error }) => error !== null)
  const counts = logs.at(-1)?.records
  return { verdicts: verdicts(logs), message: failed?.details[0]?.message, counts }
}

const OTHER = { id: 'com.example.other' }
const POLICY = { name: 'open', principals: ['*'], entities: ['*'], actions: ['*'] }
const policies = (...items: object[]) =>
  pluginFiles({ EnginePolicies: { files: { 'p.json': items } } }, OTHER)
const BOOKS = pluginFiles({
  EngineEntities: {
    files: {
      'Book.json': { name: 'Book', pks: [{ key: 'no', strategy: 'Fixed', type: 'number' }] },
    },
  },
  EngineSchemas: {
    files: { 'Book.json': { name: 'Book', properties: [{ name: 'title', type: 'string' }] } },
  },
  Book: { files: { 'data.json': [{ no: 1, title: 'Emma' }] } },
})
const records = (manifest: object, plugin: object = OTHER) =>
  pluginFiles(
    {
      Book: {
        manifest: { target: 'Book', ...manifest },
        files: {
          'data.json': [
            { no: 1, title: 'X' },
            { no: 2, title: 'Y' },
          ],
        },
      },
    },
    plugin,
  )
const titles = () => rows(deps.db, sql`select title from entities.book order by no`)

describe('roles and policies', () => {
  test('need users:manage', async () => {
    const files = pluginFiles({
      EngineRoles: { files: { 'r.json': { name: 'Clerk' } } },
      EnginePolicies: { files: { 'p.json': POLICY } },
      EngineEntities: { files: { 'Own.json': { name: 'Own' } } },
    })
    const { verdicts, message } = await install(files)
    expect(verdicts).toEqual({
      'EngineRoles/r.json': 'Forbidden',
      'EnginePolicies/p.json': 'Forbidden',
      'EngineEntities/Own.json': 'created',
    })
    expect(message).toContain('lacks the right "users:manage"')
    expect(await rows(deps.db, sql`select 1 from engine.policies`)).toEqual([])
  })

  test.each([
    [['users:manage'], POLICY, 'the rights "*:read", "*:write", "*:update", "*:delete"'],
    [['users:manage', 'Book:*'], POLICY, '"*:read"'],
    [['users:manage', 'Book:*'], { ...POLICY, entities: ['Book', 'Loan'] }, '"Loan:read"'],
    [['users:manage', '*:read'], { ...POLICY, entities: ['Book'], allow: false }, '"Book:write"'],
    [['users:manage', 'Book:*'], { ...POLICY, entities: ['BOOK'] }, undefined],
    [['users:manage', '*:*'], POLICY, undefined],
  ])('with the scopes %j reach no further than those', async (scopes, policy, missing) => {
    const { verdicts, message } = await install(policies(policy), ...scopes)
    expect(verdicts).toEqual({ 'EnginePolicies/p.json': missing ? 'Forbidden' : 'created' })
    if (missing) expect(message).toContain(missing)
  })

  test('do not replace what denies more than the installer may do', async () => {
    await installAsAdmin(deps, policies({ ...POLICY, entities: ['Salary'], allow: false }))
    const harmless = policies({ ...POLICY, entities: ['Book'], actions: ['read'] })
    const { verdicts, message } = await install(harmless, 'users:manage', 'Book:*')
    expect(verdicts).toEqual({ 'EnginePolicies/p.json': 'Forbidden' })
    expect(message).toContain('"salary:read"')
  })

  test.each(['admin', 'Editor', 'VIEWER '])('a role named %j is refused', async (name) => {
    const files = pluginFiles({
      EngineRoles: { files: { 'r.json': [{ name: 'Clerk' }, { name }] } },
    })
    const { logs } = await installAsAdmin(deps, files)
    expect(logs).toMatchObject([
      {
        error: 'Invalid definition',
        details: [{ index: 1, pointer: '/name', message: expect.stringContaining('built in') }],
      },
    ])
  })

  test('a role that no policy grants anything is said to grant nothing', async () => {
    const roles = { EngineRoles: { files: { 'r.json': [{ name: 'Clerk' }, { name: 'Idle' }] } } }
    const policy = { ...POLICY, principals: ['clerk'], entities: ['Book'] }
    const denial = { ...POLICY, name: 'no', principals: ['Idle'], allow: false }
    const files = pluginFiles({
      ...roles,
      EnginePolicies: { files: { 'p.json': [policy, denial] } },
    })
    const { logs } = await installAsAdmin(deps, files)
    expect(logs[0]?.changes).toEqual([expect.stringContaining('"Idle" grants nothing')])
    expect((await installAsAdmin(deps, pluginFiles(roles))).logs[0]?.changes).toEqual(
      logs[0]?.changes,
    )
  })
})

describe('records of an entity that is installed', () => {
  beforeEach(async () => {
    await installAsAdmin(deps, BOOKS)
  })

  test.each([
    ['Upsert', [], '"Book:write", "Book:update"'],
    ['Upsert', ['Book:write'], 'the right "Book:update"'],
    ['Upsert', ['Book:read', 'Book:delete'], '"Book:write"'],
    ['Upsert', ['Book:write', 'Book:update'], undefined],
    ['Ignore', ['Book:update'], 'the right "Book:write"'],
    ['Ignore', ['*:write'], undefined],
    ['Error', [], 'the right "Book:write"'],
  ])('with %s and the scopes %j need the rights', async (insertDuplicate, scopes, missing) => {
    const { verdicts, message } = await install(records({ insertDuplicate }), ...scopes)
    if (missing) {
      expect(verdicts).toEqual({ 'Book/data.json': 'Forbidden' })
      expect(message).toContain(missing)
      expect(await titles()).toEqual([{ title: 'Emma' }])
    } else expect(verdicts['Book/data.json']).not.toBe('Forbidden')
  })

  test('need them from its own plugin too, whose id anybody may write', async () => {
    const own = await install(records({ insertDuplicate: 'Upsert' }, {}))
    expect(own.verdicts).toEqual({ 'Book/data.json': 'Forbidden' })
  })

  test('are not compared with what is stored for those who may not read them', async () => {
    const guess = (title: string) =>
      install(
        { ...records({ insertDuplicate: 'Upsert' }), 'Book/data.json': [{ no: 1, title }] },
        'Book:write',
        'Book:update',
      )
    for (const title of ['Emma', 'Ivanhoe']) {
      const { verdicts, counts } = await guess(title)
      expect(verdicts).toEqual({ 'Book/data.json': 'updated' })
      expect(counts).toEqual({ created: 0, updated: 1, unchanged: 0, failed: 0 })
    }
    const unchanged = {
      ...records({ insertDuplicate: 'Upsert' }),
      'Book/data.json': [{ no: 1, title: 'Ivanhoe' }],
    }
    expect((await install(unchanged, 'Book:*')).verdicts).toEqual({ 'Book/data.json': 'unchanged' })
  })

  test('that its definition closes are its own plugin’s alone', async () => {
    const permissions = { write: false }
    const entity = {
      name: 'Book',
      pks: [{ key: 'no', strategy: 'Fixed', type: 'number' }],
      permissions,
    }
    const closed = { ...BOOKS, 'EngineEntities/Book.json': entity, 'Book/data.json': [{ no: 3 }] }
    expect((await installAsAdmin(deps, closed)).body.data.failedCount).toBe(0)
    const { logs } = await installAsAdmin(deps, records({ insertDuplicate: 'Ignore' }))
    expect(logs).toMatchObject([
      { error: 'Forbidden', details: [{ message: expect.stringContaining('forbids "write"') }] },
    ])
  })
})

describe('definitions', () => {
  const schema = (title: object, plugin: object = OTHER) =>
    pluginFiles(
      {
        EngineSchemas: {
          files: { 'Book.json': { name: 'Book', properties: [{ name: 'title', ...title }] } },
        },
      },
      plugin,
    )

  test('of new entities need nothing more, and their records neither', async () => {
    expect((await install(BOOKS)).verdicts).toEqual({
      'EngineSchemas/Book.json': 'created',
      'EngineEntities/Book.json': 'created',
      'Book/data.json': 'created',
    })
  })

  test('of another plugin’s entities need write and update on them', async () => {
    await installAsAdmin(deps, BOOKS)
    const wider = schema({ type: 'text', label: 'Title' })
    const { verdicts, message } = await install(wider, 'Book:read')
    expect(verdicts).toEqual({ 'EngineSchemas/Book.json': 'Forbidden' })
    expect(message).toContain('"Book:write", "Book:update"')
    expect((await install(wider, 'Book:*')).verdicts).toEqual({
      'EngineSchemas/Book.json': 'updated',
    })
  })

  test('reveal nothing of stored records to installers who may not read them', async () => {
    await installAsAdmin(deps, BOOKS)
    const responses = await Promise.all(
      [['Emma'], ['Ivanhoe']].map((values) =>
        install(schema({ type: 'string', enum: values }, {})),
      ),
    )
    expect(responses[0]).toEqual(responses[1])
    expect(responses[0]?.message).toContain('"Book:read"')
    const reported = await install(schema({ type: 'string', enum: ['Ivanhoe'] }, {}), 'Book:read')
    expect(reported.verdicts).toEqual({ 'EngineSchemas/Book.json': 'Incompatible change' })
  })

  test('refer to entities of others only by a right to read them', async () => {
    await installAsAdmin(deps, BOOKS)
    const loans = pluginFiles(
      {
        EngineSchemas: {
          files: {
            'Loan.json': {
              name: 'Loan',
              properties: [
                { name: 'book', type: 'number', reference: { entity: 'Book', field: 'no' } },
              ],
            },
          },
        },
        EngineEntities: { files: { 'Loan.json': { name: 'Loan' } } },
        Loan: { files: { 'data.json': [{ book: 1 }] } },
      },
      OTHER,
    )
    const { 'EngineEntities/Loan.json': _, 'Loan/data.json': __, ...declared } = loans
    const { verdicts, message } = await install(declared)
    expect(verdicts).toEqual({ 'EngineSchemas/Loan.json': 'Forbidden' })
    expect(message).toContain('lacks the right "Book:read"')
    const entity = pluginFiles(
      {
        EngineEntities: { files: { 'Loan.json': { name: 'Copy', engineSchema: 'Loan' } } },
      },
      OTHER,
    )
    const allowed = await install(loans, 'Book:read')
    expect(Object.values(allowed.verdicts)).toEqual(['created', 'created', 'created'])
    expect((await install(entity)).verdicts).toEqual({ 'EngineEntities/Loan.json': 'Forbidden' })
    expect((await install(loans, 'Loan:write')).verdicts['EngineSchemas/Loan.json']).toBe(
      'unchanged',
    )
  })

  test('open nothing that the installer may not do', async () => {
    const pks = [{ key: 'no', strategy: 'Fixed', type: 'number' }]
    const closed = { name: 'Book', pks, permissions: { read: false, delete: false } }
    await installAsAdmin(deps, { ...BOOKS, 'EngineEntities/Book.json': closed })
    const entities = { 'Book.json': { name: 'Book', pks, permissions: { delete: false } } }
    const open = pluginFiles({ EngineEntities: { files: entities } })
    const { verdicts, message } = await install(open, 'Book:write')
    expect(verdicts).toEqual({ 'EngineEntities/Book.json': 'Forbidden' })
    expect(message).toContain('the right "Book:read", which the new permissions')
    expect((await install(open, 'Book:read')).verdicts).toEqual({
      'EngineEntities/Book.json': 'updated',
    })
  })
})
