import { expect, test } from 'vitest'
import type { Decision } from '@/lib/policies/contract'
import { policyWords, whyOf } from './right-words'

const POLICIES = [
  { name: 'Clerks', pluginId: 'shop', allow: true, entities: ['Note'], actions: ['read'] },
  { name: 'Own', pluginId: null, allow: true, entities: ['*'], actions: ['*'] },
]
const sources = { policies: POLICIES, pluginName: (id: string) => id.toUpperCase() }
const NO: Decision = { allowed: false, closed: false, limited: false, role: null, policies: [] }

test.each<[string, Partial<Decision>]>([
  ['role EDITOR', { allowed: true, role: 'EDITOR' }],
  ['policy “Clerks” of SHOP', { allowed: true, policies: ['Clerks'] }],
  ['role EDITOR and policy “Own”', { allowed: true, role: 'EDITOR', policies: ['Own'] }],
  [
    'role EDITOR and policy “Own”, not for all records and fields',
    { allowed: true, limited: true, role: 'EDITOR', policies: ['Own'] },
  ],
  ['denied by policy “Clerks” of SHOP', { policies: ['Clerks'] }],
  ['nothing grants it', {}],
  ['the definition of the entity allows it to nobody', { closed: true, role: 'ADMIN' }],
])('says %s', (words, decision) => {
  expect(whyOf({ ...NO, ...decision }, sources)).toBe(words)
})

test.each([
  ['Allows reading records of Note', POLICIES[0]],
  ['Allows everything on every entity', POLICIES[1]],
  [
    'Denies creating and deleting records of Note and Book',
    { ...POLICIES[0], allow: false, entities: ['Note', 'Book'], actions: ['write', 'delete'] },
  ],
])('%s', (words, policy) => {
  expect(policyWords(policy as (typeof POLICIES)[0])).toBe(words)
})
