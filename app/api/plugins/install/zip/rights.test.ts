import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { pluginFiles } from '@/lib/testing/archive'
import { BOOKS, deps, install, OTHER, POLICY, policies } from '../../testing/books'
import { install as installAsAdmin } from '../../testing/plugin-api'

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
