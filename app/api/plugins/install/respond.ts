import type { z } from 'zod'
import type { InstallRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import type { OperationDoc } from '@/lib/http/doc'
import { JSON_HEADERS } from '@/lib/http/envelope'
import { prefersAsync } from '@/lib/http/prefers-async'
import { requireAcceptance } from '@/lib/installs/accept-key'
import type { installQuery } from '@/lib/installs/contract'
import { installPlugin } from '@/lib/installs/install-plugin'
import { type InstallRequest, readPage } from '@/lib/installs/install-request'
import { planResponseOf, responseOf, resultOf } from '@/lib/installs/install-response'
import { installResponse, nothingInstalled, planResponse } from '@/lib/installs/plan-contract'
import { previewInstall } from '@/lib/installs/preview-install'
import { json } from '@/lib/openapi/responses'
import { type Json, stringifyExactly } from '@/lib/values/json'

export const INSTALL_RESPONSES: OperationDoc['responses'] = {
  200: json(installResponse.or(planResponse)),
  202: json(installResponse, {
    description: 'The installation continues in the background',
    headers: ['Location', 'Preference-Applied'],
  }),
  422: json(nothingInstalled, {
    description:
      'With `mode=atomic`, a file failed, so nothing was installed; or a dry run took too long',
  }),
}

type Asked = { request: Request; query: z.output<typeof installQuery> }

/** Installs an archive, or plans it, as the query says. The archive is in memory once this resolves. */
export async function respond(
  deps: Deps,
  { request, query }: Asked,
  install: InstallRequest,
): Promise<Response> {
  const page = readPage(query)
  if (query.acceptKey && !query.dryRun) await requireAcceptance(deps.db, install.actor)
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
