import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { InstallRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import { JSON_HEADERS } from '@/lib/http/envelope'
import { pluginErrorResponse } from '@/lib/http/errors'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { envelopeOf, json } from '@/lib/openapi/responses'
import { installForm, installPreview, installQuery, installResponse } from '@/lib/plugins/contract'
import { installPlugin } from '@/lib/plugins/install-plugin'
import { responseOf } from '@/lib/plugins/install-response'
import { previewInstall } from '@/lib/plugins/preview-install'

const REQUIRED = 'Plugin file (zip) is required'

/** Installs a plugin archive, or with `dryRun=true` reports what installing it would do. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'installPlugin',
      summary: 'Install a plugin archive',
      description:
        'Responses and errors have shapes of their own, without an envelope; with `dryRun` the response is the outcome that each file would have. `Prefer: respond-async` responds immediately and installs in the background.',
      responses: {
        200: json(z.union([installResponse, envelopeOf(installPreview)])),
        202: json(installResponse, {
          description: 'The installation continues in the background',
          headers: ['Location', 'Preference-Applied'],
        }),
      },
      fails: ['conflict', 'unprocessable'],
      headers: ['Prefer'],
      form: installForm,
    },
    access: 'plugins:install',
    query: installQuery,
    formatError: pluginErrorResponse,
    upload: ({ settings }) => ({
      maxFileBytes: settings.MAX_ZIP_BYTES,
      folder: join(settings.DATA_DIR, 'tmp'),
    }),
    handle: async ({ deps, actor, query, request, requestId, upload }) => {
      const file = upload?.file
      if (!file) throw new AppError('invalid_input', REQUIRED)
      const { path, sha256, fileName: source } = file
      const loadArchive = () => readFile(path)
      const install = { loadArchive, sha256, source, mode: query.mode, actor, requestId }
      if (query.dryRun) return { data: [await previewInstall(deps, install, request.signal)] }
      const { install: started, done } = await installPlugin(deps, install)
      if (!prefersAsync(request)) {
        return Response.json(responseOf(await done), { headers: JSON_HEADERS })
      }
      done.catch(() => {}) // its result is in the history and the log
      return accepted(started)
    },
  }),
})

/** RFC 7240. */
const prefersAsync = (request: Request) =>
  /(^|,)\s*respond-async\s*(,|;|$)/i.test(request.headers.get('prefer') ?? '')

const accepted = (install: InstallRow) =>
  Response.json(responseOf(install, 202), {
    status: 202,
    headers: {
      ...JSON_HEADERS,
      'Preference-Applied': 'respond-async',
      Location: `/api/plugins/history/${install.id}`,
    },
  })
