import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@/lib/errors'
import { pluginErrorResponse } from '@/lib/http/errors'
import { refuseOtherFiles, refuseParameters } from '@/lib/http/require-file'
import { methods, route } from '@/lib/http/route'
import { installForm, installQuery } from '@/lib/installs/contract'
import { readDecisions } from '@/lib/installs/decisions'
import { readAsked } from '@/lib/installs/install-request'
import { INSTALL_RESPONSES, respond } from '../respond'

const PARAMETERS = Object.keys(installQuery.shape)
const REQUIRED = 'Plugin file (zip) is required'

/** Installs a plugin archive, or with `dryRun=true` reports what installing it would do. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'installPlugin',
      summary: 'Install a plugin archive',
      description:
        'Responses and errors have shapes of their own, without an envelope; with `dryRun` nothing is written, and `data.plan` is the outcome that each file would have. With the `seal` of such a plan, the archive is installed only while the plan holds; otherwise 409 says what has changed since. `Prefer: respond-async` responds immediately and installs in the background.',
      responses: INSTALL_RESPONSES,
      fails: ['conflict'],
      headers: ['Prefer'],
      form: installForm,
    },
    access: 'plugins:install',
    query: installQuery,
    formatError: pluginErrorResponse,
    load: 'heavy',
    upload: ({ settings }) => ({
      maxFileBytes: settings.MAX_ZIP_BYTES,
      folder: join(settings.DATA_DIR, 'tmp'),
    }),
    handle: async ({ deps, actor, query, request, requestId, upload }) => {
      const file = upload?.file
      if (!file) throw new AppError('invalid_input', REQUIRED)
      refuseOtherFiles(upload)
      refuseParameters(upload, PARAMETERS)
      const { path, sha256, fileName: source } = file
      const asked = readAsked(query, readDecisions(upload.fields.decisions))
      const archive = { loadArchive: () => readFile(path), sha256, source }
      return respond(deps, { request, query }, { ...archive, ...asked, actor, requestId })
    },
  }),
})
