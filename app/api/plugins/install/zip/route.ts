import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstallRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import { JSON_HEADERS } from '@/lib/http/envelope'
import { pluginErrorResponse } from '@/lib/http/errors'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { installQuery } from '@/lib/plugins/contract'
import { installAnswer } from '@/lib/plugins/install-answer'
import { installPlugin } from '@/lib/plugins/install-plugin'
import { previewInstall } from '@/lib/plugins/preview-install'

const REQUIRED = 'Plugin file (zip) is required'

/** Installs a plugin archive, or with `dryRun=true` tells what installing it would do. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
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
      if (query.dryRun) return { data: [await previewInstall(deps, install)] }
      const { install: started, done } = await installPlugin(deps, install)
      if (!prefersAsync(request)) {
        return Response.json(installAnswer(await done), { headers: JSON_HEADERS })
      }
      done.catch(() => {}) // its end is in the history and the log
      return accepted(started)
    },
  }),
})

/** RFC 7240. */
const prefersAsync = (request: Request) =>
  /(^|,)\s*respond-async\s*(,|;|$)/i.test(request.headers.get('prefer') ?? '')

const accepted = (install: InstallRow) =>
  Response.json(installAnswer(install, 202), {
    status: 202,
    headers: {
      ...JSON_HEADERS,
      'Preference-Applied': 'respond-async',
      Location: `/api/plugins/history/${install.id}`,
    },
  })
