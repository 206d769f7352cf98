import { describe, expect, test } from 'vitest'
import {
  type Actor,
  can,
  canForSome,
  decide,
  isForAllRows,
  type PolicyRule,
  type RecordAction,
  type Right,
  requireRight,
} from './rights'

const policy = (part: Partial<PolicyRule>): PolicyRule => ({
  entities: ['book'],
  actions: ['*'],
  allow: true,
  ...part,
})

describe('deleting records of some entity', () => {
  test.each([
    ['an editor', ['EDITOR'], [], true],
    ['a viewer', ['VIEWER'], [], false],
    ['a role that grants nothing', ['Clerk'], [], false],
    ['a role whose policy lets it', ['Clerk'], [policy({})], true],
    ['a role whose policy lets it read', ['Clerk'], [policy({ actions: ['read'] })], false],
    ['an editor denied one entity', ['EDITOR'], [policy({ allow: false })], true],
    ['an editor denied all', ['EDITOR'], [policy({ entities: ['*'], allow: false })], false],
  ])('%s', (_, roles, policies, expected) => {
    expect(canForSome({ roles, policies, scopes: null }, 'delete')).toBe(expected)
  })
})

describe('what decides', () => {
  const read = { entity: 'Book', action: 'read' } as const
  const allows = policy({ actions: ['read'] })
  const denies = policy({ entities: ['*'], allow: false })
  const by = (roles: string[], policies: PolicyRule[]) => decide(roles, policies, read)

  test('is the strongest built-in role and every policy that allows', () => {
    expect(by(['viewer', 'Editor'], [allows])).toEqual({
      allowed: true,
      role: 'EDITOR',
      rules: [allows],
      limits: [],
    })
    expect(by(['Clerk'], [allows])).toEqual({
      allowed: true,
      role: null,
      rules: [allows],
      limits: [],
    })
  })

  test('is no built-in role that another name becomes in capitals', () => {
    for (const name of ['admın', 'edıtor', 'vıewer'])
      expect(by([name], [])).toEqual({ allowed: false, role: null, rules: [], limits: [] })
  })

  test('are the policies that deny, whatever allows', () => {
    expect(by(['EDITOR'], [allows, denies])).toEqual({
      allowed: false,
      role: null,
      rules: [denies],
      limits: [],
    })
  })

  test('is the role alone for administrators, permissions and entities of the engine', () => {
    const admin = { allowed: true, role: 'ADMIN', rules: [], limits: [] }
    const nothing = { allowed: false, role: null, rules: [], limits: [] }
    expect(by(['ADMIN'], [denies])).toEqual(admin)
    expect(decide(['VIEWER'], [denies], 'images:read')).toMatchObject({ role: 'VIEWER', rules: [] })
    expect(decide(['VIEWER'], [], 'images:upload')).toEqual(nothing)
    const users = { entity: 'EngineUsers', action: 'read' } as const
    expect(decide(['EDITOR'], [policy({ entities: ['*'] })], users)).toEqual(nothing)
  })
})

describe('what built-in roles may do with records', () => {
  test.each<[role: string, actions: RecordAction[]]>([
    ['EDITOR', ['read', 'write', 'update', 'delete']],
    ['VIEWER', ['read']],
    ['Clerk', []],
  ])('%s: %j', (role, actions) => {
    const all = ['read', 'write', 'update', 'delete'] as const
    const holder = { roles: [role], scopes: null }
    expect(all.filter((action) => can(holder, { entity: 'Book', action }))).toEqual(actions)
    expect(all.filter((action) => can(holder, { entity: 'EngineUsers', action }))).toEqual([])
  })
})

describe('the scopes of a key', () => {
  const read = { entity: 'Book', action: 'read' } as const
  const readUsers = { entity: 'EngineUsers', action: 'read' } as const
  test.each<[scopes: string[] | null, right: Right, expected: boolean]>([
    [null, read, true],
    [[], read, false],
    [[], 'images:read', false],
    [['book:READ'], read, true],
    [['Book:*'], read, true],
    [['Book:write'], read, false],
    [['Author:read'], read, false],
    [['*:read'], read, true],
    [['*:read'], { entity: 'Book', action: 'delete' }, false],
    [['*:*'], { entity: 'Book', action: 'delete' }, true],
    [['*:read'], readUsers, false],
    [['*:*'], readUsers, false],
    [['EngineUsers:read'], readUsers, true],
    [['images:read'], 'images:read', true],
    [['*:*'], 'images:read', false],
  ])('%j: %j is %s', (scopes, right, expected) => {
    expect(can({ roles: ['ADMIN'], scopes }, right)).toBe(expected)
  })
})

describe('a right is required of', () => {
  const admin: Actor = {
    ...{ type: 'user', id: 'a', userId: 'a', name: 'ann@example.com', address: null },
    ...{ roles: ['ADMIN'], scopes: null },
  }

  test('a user who has it, and given', () => {
    expect(() => requireRight(admin, 'users:manage')).not.toThrow()
  })

  test.each<[string, Partial<Actor>, RegExp]>([
    ['a user without it', { roles: ['VIEWER'] }, /lacks the right "users:manage"/],
    ['a key without its scope', { type: 'api_key', scopes: ['*:*'] }, /This API key lacks/],
    ['a temporary password', { mustChangePassword: true }, /Change your password first/],
    ['a missing second factor', { mustSetUpSecondFactor: true }, /second factor first/],
  ])('and refused to %s', (_, change, message) => {
    expect(() => requireRight({ ...admin, ...change }, 'users:manage')).toThrow(message)
  })
})

test.each([
  ['an editor', ['EDITOR'], [], true],
  ['a role without conditions, of some fields', ['Clerk'], [policy({ fields: [] })], true],
  ['a role with conditions', ['Clerk'], [policy({ where: [true] })], false],
  ['a role with and without', ['Clerk'], [policy({ where: [true] }), policy({})], true],
  ['an editor denied some rows', ['EDITOR'], [policy({ where: [true], allow: false })], false],
  ['an editor denied a field', ['EDITOR'], [policy({ fields: [], allow: false })], true],
  ['an administrator', ['ADMIN'], [policy({ where: [true], allow: false })], true],
])('whether the right is the same for every row: %s', (_, roles, policies, expected) => {
  const right = { entity: 'Book', action: 'update' } as const
  expect(isForAllRows({ roles, policies, scopes: null }, right)).toBe(expected)
})
