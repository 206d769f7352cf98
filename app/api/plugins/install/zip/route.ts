import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { InstallRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import { JSON_HEADERS } from '@/lib/http/envelope'
import { pluginErrorResponse } from '@/lib/http/errors'
import { methods } from '@/lib/http/methods'
import { prefersAsync } from '@/lib/http/prefers-async'
import { refuseOtherFiles, refuseParameters } from '@/lib/http/require-file'
import { route } from '@/lib/http/route'
import { installForm, installQuery } from '@/lib/installs/contract'
import { readDecisions } from '@/lib/installs/decisions'
import { installPlugin } from '@/lib/installs/install-plugin'
import { planResponseOf, responseOf, resultOf } from '@/lib/installs/install-response'
import { installResponse, nothingInstalled, planResponse } from '@/lib/installs/plan-contract'
import { previewInstall } from '@/lib/installs/preview-install'
import { json } from '@/lib/openapi/responses'
import { stringifyExactly } from '@/lib/values/exact-numbers'
import type { Json } from '@/lib/values/json'

const PARAMETERS = Object.keys(installQuery.shape)
const REQUIRED = 'Plugin file (zip) is required'
const UNPLANNED =
  'decisions: An install with decisions needs the "seal" of a plan that was made with them'

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
      const loadArchive = () => readFile(path)
      const { mode, seal, onConflict, removed, deleted } = query
      const decisions = readDecisions(upload.fields.decisions)
      if (decisions && !query.dryRun && !seal) throw new AppError('invalid_input', UNPLANNED)
      const choices = { mode, seal, onConflict, removed, deleted, decisions }
      const install = { loadArchive, sha256, source, ...choices, actor, requestId }
      const page = recordsPage(query)
      if (query.dryRun) {
        const { signal } = request
        const previewed = await previewInstall(deps, install, { page, signal })
        const body = planResponseOf({ ...previewed, page })
        return new Response(stringifyExactly(body as Json), { headers: JSON_HEADERS })
      }
      const { install: started, done } = await installPlugin(deps, install)
      if (!prefersAsync(request)) {
        const result = resultOf(await done)
        return Response.json(result, { status: result.status, headers: JSON_HEADERS })
      }
      done.catch(() => {}) // its result is in the history and the log
      return accepted(started)
    },
  }),
})

function recordsPage({ dryRun, detail, file, page, size }: z.infer<typeof installQuery>) {
  if (detail === undefined) return undefined
  if (!dryRun) throw new AppError('invalid_input', `detail=${detail} needs dryRun=true`)
  if (file === undefined)
    throw new AppError('invalid_input', `detail=${detail} needs the path of a data file as "file"`)
  return { file, page, size, detail }
}

const accepted = (install: InstallRow) =>
  Response.json(responseOf(install, 202), {
    status: 202,
    headers: {
      ...JSON_HEADERS,
      'Preference-Applied': 'respond-async',
      Location: `/api/plugins/history/${install.id}`,
    },
  })
