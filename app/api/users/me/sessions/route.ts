import { listSessions } from '@/lib/auth/session-store'
import { methods, route } from '@/lib/http/route'
import { endMyOtherSessions } from '@/lib/users/end-sessions'
import { endedSessions, session } from '@/lib/users/session-contract'
import { toSession } from '@/lib/users/to-session'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listMySessions',
      summary: 'List your own sessions',
      description: 'At most 100, those used last first.',
      responses: { 200: session },
    },
    access: 'own-session',
    handle: async ({ deps, actor }) => {
      const days = deps.settings.SESSION_MAX_DAYS
      const rows = await listSessions(deps.db, actor.userId, days)
      return { data: rows.map((row) => toSession(row, actor.sessionId)) }
    },
  }),
  DELETE: route({
    doc: {
      id: 'endMyOtherSessions',
      summary: 'End all your sessions but this one',
      responses: { 200: endedSessions },
      fails: ['conflict'],
    },
    access: 'own-session',
    handle: async ({ deps, actor, requestId }) => ({
      data: [{ ended: await endMyOtherSessions(deps, { actor, requestId }) }],
    }),
  }),
})
