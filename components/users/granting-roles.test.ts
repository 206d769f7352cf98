import { expect, it } from 'vitest'
import { namedRoles, rolesWithoutRights } from './granting-roles'

const POLICIES = [
  { principals: ['Clerk', 'EDITOR'], allow: true },
  { principals: ['clerk', 'Guest'], allow: false },
]

it('finds the roles that no policy allows anything', () => {
  expect(rolesWithoutRights(['admin', 'CLERK', 'Guest', 'EDITR'], POLICIES)).toEqual([
    'Guest',
    'EDITR',
  ])
})

it('finds none while a policy allows something to everybody', () => {
  const everybody = { principals: ['*'], allow: true }
  expect(rolesWithoutRights(['EDITR'], [...POLICIES, everybody])).toEqual([])
  expect(rolesWithoutRights(['EDITR'], [{ ...everybody, allow: false }])).toEqual(['EDITR'])
})

it('names the roles of policies once each', () => {
  expect(namedRoles([...POLICIES, { principals: ['*'], allow: true }])).toEqual(['Guest', 'clerk'])
})
