import { join } from 'node:path'
import { callerAddress } from '@/lib/auth/request-origin'
import { requireNewServer } from '@/lib/backup/new-server'
import { restoreOnNewServer } from '@/lib/backup/restore-on-new-server'
import { restored, restoreForm } from '@/lib/backup/restored'
import { requireFile } from '@/lib/http/require-file'
import { methods, route } from '@/lib/http/route'

/** Instead of creating the first administrator: refused when there are users. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'restoreBackup',
      summary: 'Restore a backup on a new server',
      description:
        'All of it or nothing. Refused, before the file is read, when there are users. Then they sign in as on the server of the backup.',
      responses: { 200: restored },
      fails: ['conflict'],
      form: restoreForm,
    },
    access: 'public',
    load: 'heavy',
    upload: async (deps) => {
      await requireNewServer(deps)
      const { MAX_BACKUP_BYTES: maxFileBytes, DATA_DIR } = deps.settings
      return { maxFileBytes, folder: join(DATA_DIR, 'tmp') }
    },
    handle: async ({ deps, request, requestId, upload }) => {
      const { path } = requireFile(upload, { parameters: [], fields: [] })
      const address = callerAddress(request.headers, deps.settings.TRUST_PROXY)
      return { data: [await restoreOnNewServer(deps, path, { address, requestId })] }
    },
  }),
})
