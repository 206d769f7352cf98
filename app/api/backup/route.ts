import { requireSession } from '@/lib/auth/rights'
import { downloadBackup } from '@/lib/backup/download-backup'
import { download } from '@/lib/http/download'
import { methods, route } from '@/lib/http/route'
import { raw } from '@/lib/openapi/responses'
import { requireConfirmed } from '@/lib/second-factors/confirm-identity'

/** Everything of this server as one file, for an administrator who has just confirmed who they are. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'downloadBackup',
      summary: 'Download a backup',
      description:
        'Everything of this server as one file, which can be restored on a new one. It holds personal data and the hashes of passwords. For administrators in a browser who have confirmed who they are in the last 10 minutes: see `confirmIdentity`. 409 while another backup is written.',
      responses: { 200: raw('application/x-tar', { headers: ['Content-Disposition'] }) },
      fails: ['conflict'],
    },
    access: 'security:manage',
    load: 'heavy',
    handle: async ({ request, deps, actor, requestId }) => {
      requireSession(actor)
      await requireConfirmed(deps.db, actor)
      const stop = new AbortController()
      request.signal.addEventListener('abort', () => stop.abort(), { once: true })
      const file = await downloadBackup(deps, { actor, requestId, signal: stop.signal })
      return download(file, { stop, log: deps.log, requestId })
    },
  }),
})
