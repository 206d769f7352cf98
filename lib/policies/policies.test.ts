import { describe, expect, test } from 'vitest'
import { findStronger } from '@/lib/auth/grant'
import { currentActor } from '@/lib/auth/load-actor'
import { requiresSecondFactor } from '@/lib/auth/requires-second-factor'
import { type Actor, can, type RecordAction } from '@/lib/auth/rights'
import { policies, secondFactorRoles, users } from '@/lib/db/schema'
import { definePolicy, defineRole } from '@/lib/policies/define-policy'
import { parsePolicy, parseRole } from '@/lib/policies/parse-policy'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { testKey } from '@/lib/testing/request'

const deps = freshDeps()

const POLICY = {
  name: 'Clerks read airports',
  principals: ['Clerk'],
  entities: ['Airport'],
  actions: ['read'],
}

async function install(json: object) {
  const parsed = parsePolicy(JSON.parse(JSON.stringify(json)))
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  return definePolicy(deps.db, parsed.definition, 'a.plugin')
}

/** Whether a user with these roles may, as a request checks it. */
async function may(roles: string[], action: RecordAction, entity: string, scopes?: string[]) {
  const headers = new Headers({ 'x-engine-apikey': await testKey(deps, roles, scopes) })
  const actor = await currentActor({ headers }, deps)
  return actor !== null && can(actor, { entity, action })
}

describe('a policy', () => {
  test('gives a role of any name rights on the entities it lists, case-insensitive', async () => {
    expect(await may(['CLERK'], 'read', 'Airport')).toBe(false)
    expect(await install(POLICY)).toMatchObject({ status: 'created' })
    expect(await may(['CLERK'], 'read', 'Airport')).toBe(true)
    expect(await may(['CLERK'], 'read', 'airport')).toBe(true)
    expect(await may(['CLERK'], 'write', 'Airport')).toBe(false)
    expect(await may(['CLERK'], 'read', 'Country')).toBe(false)
    expect(await may(['Other'], 'read', 'Airport')).toBe(false)
  })

  test.each([
    ['ΔΙΑΧΕΙΡΙΣΤΗΣ', 'διαχειριστης'],
    ['διαχειριστησ', 'ΔΙΑΧΕΙΡΙΣΤΗΣ'],
    ['İSTANBUL', 'istanbul'],
  ])('of %s concerns %s, and is found when it is installed again', async (name, role) => {
    const policy = { ...POLICY, name, principals: [name] }
    for (const status of ['created', 'unchanged']) {
      expect(await install(policy)).toMatchObject({ status })
      expect(await defineRole(deps.db, { name }, 'a.plugin')).toMatchObject({ status })
    }
    for (const one of [name, role]) expect(await may([one], 'read', 'Airport')).toBe(true)
  })

  test('and a duty to have a second factor concern the same names', async () => {
    await deps.db.insert(secondFactorRoles).values({ role: 'ΔΙΑΧΕΙΡΙΣΤΗΣ' })
    await testKey(deps, ['διαχειριστης'])
    await testKey(deps, ['διαχειριστη'])
    const found = await deps.db
      .select({ roles: users.roles })
      .from(users)
      .where(requiresSecondFactor)
    expect(found).toEqual([{ roles: ['διαχειριστης'] }])
  })

  test('that denies wins, whatever its priority and the built-in rights', async () => {
    await install({ ...POLICY, name: 'a', principals: ['*'], actions: ['*'], priority: 100 })
    await install({
      ...POLICY,
      name: 'b',
      principals: ['Editor'],
      actions: ['delete'],
      allow: false,
      priority: -1,
    })
    expect(await may(['EDITOR'], 'delete', 'Airport')).toBe(false)
    expect(await may(['EDITOR', 'Clerk'], 'delete', 'Airport')).toBe(false)
    expect(await may(['EDITOR'], 'update', 'Airport')).toBe(true)
    expect(await may(['Clerk'], 'delete', 'Airport')).toBe(true)
    expect(await may(['ADMIN', 'EDITOR'], 'delete', 'Airport')).toBe(true)
  })

  test('of all entities leaves out those of the system', async () => {
    await install({ ...POLICY, entities: ['*'], actions: ['*'] })
    expect(await may(['Clerk'], 'delete', 'Airport')).toBe(true)
    expect(await may(['Clerk'], 'read', 'EngineUsers')).toBe(false)
    expect(await may(['Clerk'], 'read', 'engineusers')).toBe(false)
  })

  test('is narrowed by the scopes of a key', async () => {
    await install({ ...POLICY, entities: ['Airport', 'Country'] })
    expect(await may(['Clerk'], 'read', 'Airport', ['Airport:read'])).toBe(true)
    expect(await may(['Clerk'], 'read', 'Country', ['Airport:read'])).toBe(false)
  })

  test('makes a role stronger than a key that lacks what it allows', async () => {
    await install(POLICY)
    const key = async (scopes: string[]) => {
      const headers = new Headers({ 'x-engine-apikey': await testKey(deps, ['ADMIN'], scopes) })
      return (await currentActor({ headers }, deps)) as Actor
    }
    expect(await findStronger(deps.db, await key(['users:manage']), ['Clerk'])).toBe('Clerk')
    const reader = await key(['users:manage', 'Airport:read'])
    expect(await findStronger(deps.db, reader, ['Other', 'Clerk'])).toBeNull()
  })

  test('changes and stays the same with its next installation', async () => {
    await install(POLICY)
    expect(await install(POLICY)).toMatchObject({ status: 'unchanged' })
    expect(await install({ ...POLICY, allow: false })).toMatchObject({ status: 'updated' })
    expect(await may(['Clerk'], 'read', 'Airport')).toBe(false)
    await expect(install({ ...POLICY, name: 'CLERKS read airports' })).rejects.toThrow('Clashes')
  })

  test.each([
    ['a system entity', { entities: ['engineUsers'] }, '/entities/0'],
    ['no principal', { principals: [] }, '/principals'],
    ['an unknown action', { actions: ['read', 'fly'] }, '/actions/1'],
    ['no name', { name: ' ' }, '/name'],
  ])('with %s is not good', (_, change, pointer) => {
    expect(parsePolicy({ ...POLICY, ...change })).toMatchObject({ faults: [{ pointer }] })
  })

  test('hands on what it limits, and denies while it is invalid', async () => {
    await installTestEntity(deps, {
      entity: { name: 'Airport', pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] },
      schema: { properties: { branch: { type: 'string' } } },
    })
    const limits = {
      where: [{ field: 'branch', operator: 'eq', value: '$me.profile.branch' }],
      fields: { except: ['salary'] },
      set: { ownerId: '$me' },
      check: [],
    }
    const rules = async () => {
      const headers = new Headers({ 'x-engine-apikey': await testKey(deps, ['Clerk']) })
      return (await currentActor({ headers }, deps))?.policies
    }
    const named = { name: POLICY.name, entities: ['airport'], actions: ['read'] }
    await install({ ...POLICY, ...limits })
    expect(await rules()).toEqual([{ ...named, allow: true, ...limits }])
    await deps.db.update(policies).set({ invalid: 'It has no field "branch"' })
    expect(await rules()).toEqual([{ ...named, allow: false }])
    expect(await install({ ...POLICY, ...limits, where: [] })).toMatchObject({ status: 'updated' })
    const { where: _, ...others } = limits
    expect(await rules()).toEqual([{ ...named, allow: true, ...others }])
  })

  const test1 = { field: 'a', operator: 'eq', value: 1 }
  const nested = (depth: number): object =>
    depth === 0 ? test1 : { operator: 'not', filters: [nested(depth - 1)] }

  test.each([
    ['conditions that are no list', { where: test1 }, '/where'],
    [
      '65 conditions, nested ones counted',
      { where: [{ operator: 'or', filters: Array(64).fill(test1) }] },
      '/where',
    ],
    ['conditions 9 deep', { check: [nested(9)] }, '/check'],
    ['a value that is very long', { where: [{ ...test1, value: 'x'.repeat(16_000) }] }, '/where'],
    ['fields that are neither names nor exceptions', { fields: { only: ['a'] } }, '/fields'],
    ['257 fields', { fields: Array.from({ length: 257 }, (_, at) => `f${at}`) }, '/fields'],
    ['values that are a list', { set: ['a'] }, '/set'],
  ])('with %s is not good', (_, change, pointer) => {
    expect(parsePolicy(JSON.parse(JSON.stringify({ ...POLICY, ...change })))).toMatchObject({
      faults: [{ pointer }],
    })
    const most = { where: [nested(8)], check: [{ operator: 'or', filters: Array(63).fill(test1) }] }
    expect(parsePolicy(JSON.parse(JSON.stringify({ ...POLICY, ...most })))).toHaveProperty(
      'definition',
    )
  })

  test('may call its entities entityList, and keeps keys that are not known', () => {
    const { entities, ...rest } = POLICY
    expect(parsePolicy({ ...rest, entityList: entities, note: 'x' })).toEqual({
      definition: { ...POLICY, allow: true, priority: 0, note: 'x' },
    })
  })
})

test('a role can be described, and grants nothing by that', async () => {
  const parsed = parseRole({ name: 'Clerk', description: 'Keeps the books' })
  if ('faults' in parsed) throw new Error('not good')
  expect(await defineRole(deps.db, parsed.definition, 'a.plugin')).toMatchObject({
    status: 'created',
  })
  expect(await defineRole(deps.db, parsed.definition, 'a.plugin')).toMatchObject({
    status: 'unchanged',
  })
  expect(await may(['Clerk'], 'read', 'Airport')).toBe(false)
})
