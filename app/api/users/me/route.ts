import { AppError } from '@/lib/errors'
import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { user } from '@/lib/users/contract'
import { findUser, toUser, userText } from '@/lib/users/store'

/** The caller; for a key, its owner. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readMe',
      summary: 'Read your own account',
      description: 'For an API key without scopes, its owner.',
      responses: { 200: user },
    },
    access: 'own-account',
    handle: async ({ deps, actor }) => {
      const user = await findUser(deps.db, actor.userId)
      if (!user) throw new AppError('unauthenticated', 'This account no longer exists')
      return { data: new JsonText(userText(toUser(user))) }
    },
  }),
})
