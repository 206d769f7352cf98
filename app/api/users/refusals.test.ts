import { describe, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import * as init from './init/route'
import { ANN, create, find } from './testing/users'

const deps = freshDeps()

describe('creating a user', () => {
  test.each([' EDITOR', 'EDITOR ', ' '])('refuses the role "%s"', async (role) => {
    const { status, body } = await create({ ...ANN, roles: [role] })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { validations: [{ field: 'roles.0' }] },
    })
  })

  test.each([
    ['no email', { email: undefined }, ['email']],
    ['a bad email', { email: 'ann@' }, ['email']],
    ['no roles', { roles: [] }, ['roles']],
    ['a blank role', { roles: [' '] }, ['roles.0']],
    ['a role twice', { roles: ['admin', 'ADMIN'] }, ['roles']],
    ['33 roles', { roles: Array.from({ length: 33 }, (_, n) => `r${n}`) }, ['roles']],
    ['a long role', { roles: ['x'.repeat(65)] }, ['roles.0']],
    ['no profile', { profile: undefined }, ['profile']],
    ['a list as profile', { profile: [] }, ['profile']],
    ['a null profile', { profile: null }, ['profile']],
    ['a large profile', { profile: { text: 'x'.repeat(65_536) } }, ['profile']],
    ['an unstorable profile', { profile: { a: 'x\u0000' } }, ['profile']],
    ['half a character', { profile: { a: '\ud800' } }, ['profile']],
    ['a short password', { password: 'seven77' }, ['password']],
    ['a long password', { password: 'xy'.repeat(65) }, ['password']],
    ['a common password', { password: 'Password123' }, ['password']],
    ['one character over and over', { password: 'zzzzzzzzzzz' }, ['password']],
    ['an empty password', { password: '' }, ['password']],
    ['a number as password', { password: 12345678 }, ['password']],
    ['an unknown property', { admin: true }, ['admin']],
    [
      'several',
      { email: 'x', roles: 'ADMIN', profile: 1, extra: 1 },
      ['email', 'extra', 'profile', 'roles'],
    ],
  ])('%s is refused, and every fault is named', async (_, body, fields) => {
    const response = await create({ ...ANN, ...body })
    expect(response.status).toBe(400)
    const named = response.body.validations.map(({ field }: { field: string }) => field)
    expect(named.sort()).toEqual(fields)
    expect(await find(ANN.email)).toBeUndefined()
  })

  test('what has the wrong type is not said to be missing', async () => {
    const response = await create({ email: 5, roles: 'ADMIN', profile: {}, password: true })
    expect(response.body.validations).toEqual([
      { field: 'email', error: 'The email must be a text' },
      { field: 'roles', error: 'The roles must be a list of names' },
      { field: 'password', error: 'The password must be a text' },
    ])
  })

  test('a profile that is nested without end is refused', async () => {
    const body = `{"email":"a@example.com","roles":["X"],"profile":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`
    const response = await call(deps, init.POST, {
      method: 'POST',
      path: '/api/users/init',
      as: 'ADMIN',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(response.status).toBe(400)
  })

  test.each(['?generatePassword=maybe', '?generatePassword=', '?other=1'])(
    'the query %s is refused',
    async (query) => {
      expect((await create(ANN, query)).status).toBe(400)
    },
  )
})
