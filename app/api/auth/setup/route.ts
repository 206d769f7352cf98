import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { setUpBody } from '@/lib/users/bodies'
import { setUp } from '@/lib/users/set-up'
import { toUser } from '@/lib/users/store'

/** Makes the first administrator; refused as soon as there is one. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'public',
    body: setUpBody,
    handle: async ({ deps, body }) => {
      const { userId, email, roles, profile } = toUser(await setUp(deps, body))
      return { data: [{ userId, email, roles, profile }], status: 201 }
    },
  }),
})
