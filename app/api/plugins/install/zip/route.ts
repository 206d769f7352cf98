import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { InstallRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import { JSON_HEADERS } from '@/lib/http/envelope'
import { pluginErrorResponse } from '@/lib/http/errors'
import { prefersAsync } from '@/lib/http/prefers-async'
import { refuseOtherFiles, refuseParameters } from '@/lib/http/require-file'
import { methods, route } from '@/lib/http/route'
import { requireAcceptance } from '@/lib/installs/accept-key'
import { installForm, installQuery } from '@/lib/installs/contract'
import { installPlugin } from '@/lib/installs/install-plugin'
import { readAsked, readPage } from '@/lib/installs/install-request'
import { planResponseOf, responseOf, resultOf } from '@/lib/installs/install-response'
import { installResponse, nothingInstalled, planResponse } from '@/lib/installs/plan-contract'
import { previewInstall } from '@/lib/installs/preview-install'
import { json } from '@/lib/openapi/responses'
import { type Json, stringifyExactly } from '@/lib/values/json'

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
      responses: {
        200: json(z.union([installResponse, planResponse])),
        202: json(installResponse, {
          description: 'The installation continues in the background',
          headers: ['Location', 'Preference-Applied'],
        }),
        422: json(nothingInstalled, {
          description:
            'With `mode=atomic`, a file failed, so nothing was installed; or a dry run took too long',
        }),
      },
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
      const asked = { ...readAsked(query, upload.fields), actor, requestId }
      const install = { loadArchive: () => readFile(path), sha256, source, ...asked }
      const page = readPage(query)
      if (query.acceptKey && !query.dryRun) await requireAcceptance(deps.db, actor)
      if (query.dryRun) {
        const plan = await previewInstall(deps, install, { page, signal: request.signal })
        const body = stringifyExactly(planResponseOf({ ...plan, page }) as Json)
        return new Response(body, { headers: JSON_HEADERS })
      }
      const { install: started, done } = await installPlugin(deps, install)
      if (prefersAsync(request)) {
        done.catch(() => {}) // its result is in the history and the log
        return accepted(started)
      }
      const result = resultOf(await done)
      return Response.json(result, { status: result.status, headers: JSON_HEADERS })
    },
  }),
})

const accepted = (install: InstallRow) =>
  Response.json(responseOf(install, 202), {
    status: 202,
    headers: {
      ...JSON_HEADERS,
      'Preference-Applied': 'respond-async',
      Location: `/api/plugins/history/${install.id}`,
    },
  })
