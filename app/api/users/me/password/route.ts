import { sessionCookie } from '@/lib/auth/session-cookie'
import { encodeSession, newSession } from '@/lib/auth/session-token'
import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { changePasswordBody } from '@/lib/users/bodies'
import { changePassword } from '@/lib/users/change-password'
import { user } from '@/lib/users/contract'
import { toUser, userText } from '@/lib/users/store'

/** Changes the caller's password. All sessions end; the browser that asked gets a new one. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: route({
    doc: {
      id: 'changeMyPassword',
      summary: 'Change your own password',
      description: 'All sessions end; the browser that asked gets a new one.',
      responses: { 200: listOf(user, { headers: ['Set-Cookie'] }) },
      fails: ['rate_limited', 'conflict'],
    },
    access: 'own-account',
    body: changePasswordBody,
    handle: async ({ deps, actor, request, requestId, body }) => {
      const userAgent = request.headers.get('user-agent')
      const { user, session } = await changePassword(deps, body, { actor, requestId, userAgent })
      const token = await encodeSession(newSession(session), deps.secret)
      const cookie = sessionCookie(token, deps.settings)
      return { data: new JsonText(userText(toUser(user))), headers: { 'Set-Cookie': cookie } }
    },
  }),
})
