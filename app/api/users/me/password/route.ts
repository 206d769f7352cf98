import { sessionCookie } from '@/lib/auth/session-cookie'
import { encodeSession } from '@/lib/auth/session-token'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { changePasswordBody } from '@/lib/users/bodies'
import { changePassword } from '@/lib/users/change-password'
import { toUser } from '@/lib/users/store'

/** Changes the caller's password. All sessions end; the browser that asked gets a new one. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route({
    access: 'own-account',
    body: changePasswordBody,
    handle: async ({ deps, actor, requestId, body }) => {
      const user = await changePassword(deps, body, { actor, requestId })
      if (actor.type !== 'user') return { data: [toUser(user)] }
      const claims = { sub: user.id, version: user.sessionVersion }
      const cookie = sessionCookie(await encodeSession(claims, deps.secret), deps.settings)
      return { data: [toUser(user)], headers: { 'Set-Cookie': cookie } }
    },
  }),
})
