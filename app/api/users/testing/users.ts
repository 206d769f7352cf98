import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { users } from '@/lib/db/schema'
import { currentDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import * as user from '../[userId]/route'
import * as init from '../init/route'

const deps = currentDeps()

export const PASSWORD = 'correct horse battery'
export const ANN = { email: 'ann@example.com', roles: ['EDITOR'], profile: {} }

export const create = (body: unknown, query = '', scopes?: string[]) =>
  call(deps, init.POST, {
    method: 'POST',
    path: `/api/users/init${query}`,
    as: 'ADMIN',
    scopes,
    body,
  })

export async function find(email: string) {
  const [found] = await deps.db.select().from(users).where(eq(users.email, email))
  return found
}

export async function created(body: object = {}, query = '') {
  const response = await create({ ...ANN, password: PASSWORD, ...body }, query)
  expect(response).toMatchObject({ status: 200 })
  return response.body.data[0].userId as string
}

export async function activated(body: object = {}) {
  const userId = await created(body)
  await deps.db.update(users).set({ status: 'ACTIVATED' }).where(eq(users.id, userId))
  return userId
}

export const patch = (userId: string, body: unknown, scopes?: string[]) =>
  call(deps, user.PATCH, {
    method: 'PATCH',
    path: `/api/users/${userId}`,
    params: { userId },
    as: 'ADMIN',
    scopes,
    body,
  })
