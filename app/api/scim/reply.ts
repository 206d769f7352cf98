import type { z } from 'zod'
import { appUrl } from '@/lib/auth/app-url'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import type { ResponseDoc } from '@/lib/http/doc'
import { SCIM_TYPE } from '@/lib/http/scim-error-response'
import type { Request as ScimRequest } from '@/lib/scim/change-users'
import { type Resource, type ResourceList, resource } from '@/lib/scim/contract'
import { names } from '@/lib/scim/require-version'

/** The address of SCIM, as `location` has it. */
export const baseOf = ({ settings }: Pick<Deps, 'settings'>): string =>
  `${appUrl(settings)}/api/scim/v2`

type Input = { request: Request; requestId: string; deps: Deps; actor: Actor }

/** What a change needs to know of its request. */
export const callerOf = ({ request, requestId, deps, actor }: Input): ScimRequest => ({
  actor,
  requestId,
  rolesMap: deps.settings.SCIM_ROLES_MAP,
  ifMatch: request.headers.get('if-match'),
  base: baseOf(deps),
})

export function scimReply(
  body: Resource | ResourceList,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const own = {
    'Content-Type': `${SCIM_TYPE}; charset=utf-8`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  return new Response(JSON.stringify(body), { status, headers: { ...own, ...headers } })
}

type Shown = { version: string; created?: string }

/** One resource with its `ETag`; 304 for a client that has this version. `created`: the address of a new one. */
export function resourceReply(
  request: Request,
  body: Resource,
  { version, created }: Shown,
): Response {
  const headers = { ETag: version, ...(created ? { Location: created } : {}) }
  const known = request.headers.get('if-none-match')
  if (request.method === 'GET' && known !== null && names(known, version))
    return new Response(null, { status: 304, headers })
  return scimReply(body, { status: created ? 201 : 200, headers })
}

export const nothingLeft = (): Response => new Response(null, { status: 204 })

/** The description of a response in the media type of SCIM. */
export const scimDoc = (
  schema: z.ZodType = resource,
  rest: Omit<ResponseDoc, 'content'> = {},
): ResponseDoc => ({ content: { [SCIM_TYPE]: schema }, ...rest })
