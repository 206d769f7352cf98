import { z } from 'zod'
import type { ErrorCode } from '@/lib/errors'
import type { OperationDoc } from '@/lib/http/doc'
import { reason } from '@/lib/http/envelope'
import { STATUS } from '@/lib/http/errors'
import { MAX_VALIDATIONS } from '@/lib/http/invalid-input'
import type { RouteSpec } from '@/lib/http/route-spec'
import type { Components } from './components'
import type { Part } from './json-schema'

/** The envelope of an error, interface.md §1. */
const errorSchema = z
  .object({
    data: z.array(z.never()),
    timestamp: z.int().meta({ description: 'Milliseconds since 1970' }),
    code: z.int().meta({ description: 'The HTTP status' }),
    status: z.string().meta({ description: 'Its reason in capitals' }),
    meta: z.looseObject({
      validationCount: z
        .int()
        .optional()
        .meta({ description: 'Of all offending fields, when there are more than are named' }),
    }),
    error: z.string().meta({ description: 'One sentence a user can act on' }),
    validations: z
      .array(z.object({ field: z.string(), error: z.string() }))
      .optional()
      .meta({
        description: `The first ${MAX_VALIDATIONS} offending fields, where input is at fault`,
      }),
  })
  .meta({ id: 'Engine.Error' })

/** The form of refusals of plugin archives, interface.md §5. */
const pluginErrorSchema = z
  .object({ status: z.int(), error: z.string() })
  .meta({ id: 'Engine.PluginError' })

const SENTENCES: Record<number, string> = {
  400: 'The request is not valid',
  401: 'No credential, or a bad one',
  403: 'The caller lacks the right',
  404: 'There is no such thing',
  405: 'The entity is read-only',
  408: 'The body came too slowly',
  409: 'It is at odds with what is there',
  412: 'It was changed meanwhile',
  413: 'It is too large',
  415: 'It is of a type that is not taken here',
  422: 'It is well formed, but can not be done',
  429: 'Too many attempts; wait a while',
  500: 'Something went wrong on the side of the server',
  502: 'A service behind the server failed',
  503: 'The database is away, or busy; try again in a moment',
  504: 'A service behind the server did not answer in time',
  507: 'The disk of the database is full',
}

const HEADERS: Record<number, Record<string, string>> = {
  401: { 'WWW-Authenticate': 'The kind of credential that is taken' },
  405: { Allow: 'Methods that are taken' },
  429: { 'Retry-After': 'Seconds to wait' },
  503: { 'Retry-After': 'Seconds to wait' },
}

/** Responses to failures, by status: references to components, which this adds. */
export function errorAnswers(spec: RouteSpec, doc: OperationDoc, method: string, into: Components) {
  const codes: readonly (ErrorCode | 500)[] = [...expected(spec, doc, method), ...(doc.fails ?? [])]
  const statuses = new Set(codes.map((code) => (code === 500 ? code : STATUS[code])))
  const own = spec.formatError ? 'PluginError' : 'Error'
  return Object.fromEntries(
    [...statuses].map((status) => {
      const name = `Engine.${own}${status}`
      into.responses[name] ??= response(status, own, into)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** The possible failures of the route. */
function expected(spec: RouteSpec, doc: OperationDoc, method: string): (ErrorCode | 500)[] {
  const { params, query, body, upload, access, readOnly } = spec
  const changes = method !== 'get'
  const hasBody = Boolean(body || upload || doc.body)
  const isOpen = access === 'public' || access === 'optional'
  const isClosed = !isOpen || doc.needsCredential === true
  const mayRepeat = method === 'post' && !isOpen && !readOnly
  const when = (condition: boolean, ...codes: ErrorCode[]) => (condition ? codes : [])
  return [
    ...when(isClosed || Boolean(params || query || hasBody || mayRepeat), 'invalid_input'),
    ...when(isClosed, 'unauthenticated'),
    ...when(changes || isClosed, 'forbidden'),
    ...when(Boolean(params), 'not_found'),
    ...when(mayRepeat, 'conflict'),
    ...when(hasBody, 'request_timeout', 'too_large', 'unsupported_media_type'),
    500,
    'unavailable',
    'insufficient_storage',
  ]
}

function response(status: number, own: 'Error' | 'PluginError', into: Components): Part {
  const schema = into.schemaOf(own === 'Error' ? errorSchema : pluginErrorSchema, 'output')
  const description = SENTENCES[status] ?? reason(status)
  const headers = Object.entries(HEADERS[status] ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ])
  return {
    description,
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    content: { 'application/json': { schema, example: example(status, own, description) } },
  }
}

function example(status: number, own: 'Error' | 'PluginError', error: string): Part {
  if (own === 'PluginError') return { status, error }
  const body = { data: [], timestamp: 1_767_225_600_000, code: status, status: reason(status) }
  const validations = status === 400 ? [{ field: 'name', error: 'must not be empty' }] : undefined
  return { ...body, meta: {}, error, validations }
}
