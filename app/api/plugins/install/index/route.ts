import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { currentBudget, withOwnBudget } from '@/lib/db/budget'
import { pluginErrorResponse } from '@/lib/http/errors'
import { methods, route } from '@/lib/http/route'
import { installQuery } from '@/lib/installs/contract'
import { readAsked } from '@/lib/installs/install-request'
import { installFromIndexBody } from '@/lib/plugin-index/contract'
import { findVersion } from '@/lib/plugin-index/find-version'
import { loadArchive } from '@/lib/plugin-index/load-archive'
import { indexAddress, loadIndex } from '@/lib/plugin-index/load-index'
import { INSTALL_RESPONSES, respond } from '../respond'

/** Installs a version of the index, or with `dryRun=true` reports what installing it would do. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'installFromIndex',
      summary: 'Install a plugin of the index',
      description:
        'The server loads the archive and checks its size, its hash, its id, version and key against the index at `PLUGIN_INDEX_URL`; `meta.archive` says what differs. The rest, responses and errors too, is as in the install of an archive that is sent.',
      responses: INSTALL_RESPONSES,
      fails: [
        'conflict',
        'not_found',
        'too_large',
        'upstream_failed',
        'upstream_timeout',
        'unavailable',
      ],
      headers: ['Prefer'],
      example: { id: 'com.example.shop', version: '1.3.0' },
    },
    access: 'plugins:install',
    query: installQuery,
    body: installFromIndexBody,
    formatError: pluginErrorResponse,
    load: 'heavy',
    handle: async ({ deps, actor, query, request, requestId, body }) => {
      const { id, version } = body
      const asked = readAsked(query, body.decisions)
      // A plan is of what the index has now; a page of it, and its install, are of what was planned.
      const { index } = await loadIndex(deps, { refresh: !query.detail && !query.seal })
      const listed = findVersion(index, body)
      const fileName = `${id}-${version}.zip`
      const folder = join(deps.settings.DATA_DIR, 'tmp')
      const { path, sha256 } = await loadArchive(deps, listed, { fileName, folder })
      const install = {
        ...{ loadArchive: () => readFile(path), sha256, ...asked, actor, requestId },
        source: `${fileName} of ${indexAddress(deps).host}`,
        named: { id, version, keyId: listed.keyId ?? null },
      }
      try {
        // The time that the archive took to arrive is none of the database's.
        const { request: asker, spent, sees } = currentBudget()
        return await withOwnBudget({ request: asker, spent, sees }, () =>
          respond(deps, { request, query }, install),
        )
      } finally {
        await rm(path, { force: true })
      }
    },
  }),
})
