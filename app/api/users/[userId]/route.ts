import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { updateUserBody } from '@/lib/users/bodies'
import { type User, user, userParams } from '@/lib/users/contract'
import { findManagement } from '@/lib/users/managed'
import { findUser, toUser, userText } from '@/lib/users/store'
import { removeUser, updateUser } from '@/lib/users/update-user'

/** With what SCIM manages of them. */
async function describe({ db, settings }: Deps, found: User): Promise<JsonText> {
  const managed = await findManagement(db, found.userId, settings)
  return new JsonText(userText(managed ? { ...found, managed } : found))
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: { id: 'readUser', summary: 'Read a user', responses: { 200: user } },
    access: 'users:manage',
    params: userParams,
    handle: async ({ deps, params: { userId } }) => {
      const user = await findUser(deps.db, userId)
      if (!user) throw new AppError('not_found', 'There is no user with this id')
      return { data: await describe(deps, toUser(user)) }
    },
  }),
  PATCH: route({
    doc: {
      id: 'changeUser',
      summary: 'Change a user',
      description:
        "What is given is changed. A change of password, roles or status ends the user's sessions. What SCIM manages is refused.",
      responses: { 200: user },
      fails: ['conflict'],
    },
    access: 'users:manage',
    params: userParams,
    body: updateUserBody,
    exactNumbers: true,
    handle: async ({ deps, actor, requestId, params: { userId }, body }) => ({
      data: await describe(deps, await updateUser(deps, userId, body, { actor, requestId })),
    }),
  }),
  DELETE: route({
    doc: {
      id: 'deleteUser',
      summary: 'Delete a user',
      responses: { 200: listOf(user.pick({ userId: true })) },
      fails: ['conflict'],
    },
    access: 'users:manage',
    params: userParams,
    handle: async ({ deps, actor, requestId, params: { userId } }) => {
      await removeUser(deps, userId, { actor, requestId })
      return { data: [{ userId }] }
    },
  }),
})
