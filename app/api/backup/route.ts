import { z } from 'zod'
import { requireSession } from '@/lib/auth/rights'
import { requireNoOther } from '@/lib/backup/begin-backup'
import { downloadBackup } from '@/lib/backup/download-backup'
import { download } from '@/lib/http/download'
import { methods, route } from '@/lib/http/route'
import { listOf, raw } from '@/lib/openapi/responses'
import { requireConfirmed } from '@/lib/second-factors/confirm-identity'

const backupQuery = z.strictObject({
  dryRun: z.stringbool().default(false).meta({
    description: 'Write nothing, only say whether a backup may be downloaded now',
  }),
})

const TRIED = listOf(z.never(), { meta: z.object({ dryRun: z.literal(true) }) })
const FILE = raw('application/x-tar', { headers: ['Content-Disposition'] })

/** Everything of this server as one file, for an administrator who has just confirmed who they are. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'downloadBackup',
      summary: 'Download a backup',
      description:
        'Everything of this server as one file, which can be restored on a new one. It holds personal data and the hashes of passwords. For administrators in a browser who have confirmed who they are in the last 10 minutes: see `confirmIdentity`. 409 while another backup is written. With `dryRun`, nothing is written; the response is a list without entries, or what is in the way.',
      responses: {
        200: { ...FILE, content: { ...FILE.content, ...TRIED.content } },
      },
      fails: ['conflict'],
    },
    access: 'security:manage',
    query: backupQuery,
    load: 'heavy',
    handle: async ({ request, deps, actor, requestId, query }) => {
      requireSession(actor)
      await requireConfirmed(deps.db, actor)
      if (query.dryRun) {
        await requireNoOther(deps)
        return { data: [], meta: { dryRun: true } }
      }
      const stop = new AbortController()
      request.signal.addEventListener('abort', () => stop.abort(), { once: true })
      const file = await downloadBackup(deps, { actor, requestId, signal: stop.signal })
      return download(file, { stop, log: deps.log, requestId })
    },
  }),
})
