import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { deps, install, POLICY, policies } from '../../testing/books'
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
