import { personExport } from '@/lib/erasure/contract'
import { exportPerson } from '@/lib/erasure/export-person'
import { download } from '@/lib/http/download'
import { methods, route } from '@/lib/http/route'
import { json } from '@/lib/openapi/responses'
import { userParams } from '@/lib/users/contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'exportPerson',
      summary: 'Export a person',
      description:
        'Everything that is stored of a person, as a file: account with profile, identities, sessions, second factors and keys without their secrets, views, mails, comments, entries of the audit log by them and about them, and what they did to records with a history. In a browser, for those who have confirmed who they are in the last 10 minutes: see `confirmIdentity`.',
      responses: { 200: json(personExport, { headers: ['Content-Disposition'] }) },
    },
    access: 'security:manage',
    params: userParams,
    load: 'heavy',
    handle: async ({ request, deps, actor, requestId, params: { userId } }) => {
      const stop = new AbortController()
      request.signal.addEventListener('abort', () => stop.abort(), { once: true })
      const file = await exportPerson(deps, userId, { actor, requestId })
      return download(file, { stop, log: deps.log, requestId })
    },
  }),
})
