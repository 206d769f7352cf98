import { describe, expect, test } from 'vitest'
import { canForSome, decide, type PolicyRule } from './rights'

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
    })
    expect(by(['Clerk'], [allows])).toEqual({ allowed: true, role: null, rules: [allows] })
  })

  test('are the policies that deny, whatever allows', () => {
    expect(by(['EDITOR'], [allows, denies])).toEqual({
      allowed: false,
      role: null,
      rules: [denies],
    })
  })

  test('is the role alone for administrators, permissions and entities of the engine', () => {
    const admin = { allowed: true, role: 'ADMIN', rules: [] }
    const nothing = { allowed: false, role: null, rules: [] }
    expect(by(['ADMIN'], [denies])).toEqual(admin)
    expect(decide(['VIEWER'], [denies], 'images:read')).toMatchObject({ role: 'VIEWER', rules: [] })
    expect(decide(['VIEWER'], [], 'images:upload')).toEqual(nothing)
    const users = { entity: 'EngineUsers', action: 'read' } as const
    expect(decide(['EDITOR'], [policy({ entities: ['*'] })], users)).toEqual(nothing)
  })
})
