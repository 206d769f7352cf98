import { z } from 'zod'
import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { initUserBody } from '@/lib/users/bodies'
import { initialUser } from '@/lib/users/contract'
import { initUser } from '@/lib/users/init-user'
import { userText } from '@/lib/users/store'
import { strictObject } from '@/lib/values/wire-types'

const query = strictObject({
  generatePassword: z.stringbool('Must be true or false').default(false),
})

/** Creates a user in one of three ways, which differ in the password. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'createUser',
      summary: 'Create a user',
      description:
        'With `generatePassword` a password is made and mailed; with `password` an activation mail goes out; with neither the account waits for a reset.',
      responses: { 200: initialUser },
      fails: ['conflict'],
      example: { email: 'jane@example.com', roles: ['EDITOR'], profile: { name: 'Jane' } },
    },
    access: 'users:manage',
    query,
    body: ({ generatePassword }) => initUserBody(generatePassword),
    exactNumbers: true,
    handle: async ({ deps, actor, requestId, query: { generatePassword }, body }) => {
      const caller = { actor, requestId, generatesPassword: generatePassword }
      return { data: new JsonText(userText(await initUser(deps, body, caller))) }
    },
  }),
})
