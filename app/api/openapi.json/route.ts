import { z } from 'zod'
import { type Actor, isReady } from '@/lib/auth/rights'
import { sessionCookieName } from '@/lib/auth/session-cookie'
import type { Deps } from '@/lib/deps'
import { type Handler, methods, route } from '@/lib/http/route'
import { taggedText } from '@/lib/http/tagged-text'
import { apiDocument, type Routes } from '@/lib/openapi/api-document'
import { viewsFor } from '@/lib/openapi/entity-views'
import { withReferences } from '@/lib/openapi/example-record'
import { json, nothing } from '@/lib/openapi/responses'
import { listEntities } from '@/lib/registry/registry'
import { version } from '@/package.json'
import { ROUTES } from '../routes'

const get: Handler = route({
  doc: {
    id: 'readOpenApi',
    summary: 'Read this document',
    description:
      'OpenAPI 3.1. With a credential, includes the entities that the caller may read, with the fields that it may read or send.',
    responses: {
      200: json(z.looseObject({ openapi: z.string() }), { headers: ['ETag'] }),
      304: nothing('It has not changed', ['ETag']),
    },
    fails: ['invalid_input'],
    headers: ['If-None-Match'],
  },
  access: 'optional',
  handle: async ({ request, deps, actor }) => {
    const caller = actor && isReady(actor) ? actor : null
    const document = apiDocument({
      routes: ALL_ROUTES,
      version,
      cookie: sessionCookieName(deps.settings),
      entities: caller ? await readableEntities(deps, caller) : [],
      actor: caller,
    })
    return taggedText(request, JSON.stringify(document), 'application/json; charset=utf-8')
  },
})

async function readableEntities(deps: Deps, caller: Actor) {
  const all = await listEntities(deps)
  return withReferences(deps.db, viewsFor(caller, all), caller, all)
}

const ALL_ROUTES: Routes = { ...ROUTES, '/api/openapi.json': { GET: get } }

/** The description of the API, for programs and for the page that shows it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: get })
