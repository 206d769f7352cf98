import { describe, expect, test } from 'vitest'
import { canForSome, type PolicyRule } from './rights'

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
