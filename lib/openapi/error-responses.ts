import { z } from 'zod'
import type { ErrorCode } from '@/lib/errors'
import type { OperationDoc } from '@/lib/http/doc'
import { reason } from '@/lib/http/envelope'
import { STATUS } from '@/lib/http/errors'
import { MAX_VALIDATIONS } from '@/lib/http/invalid-input'
import type { RouteSpec } from '@/lib/http/route-spec'
import { SCIM_ERROR, SCIM_TYPE } from '@/lib/http/scim-error-response'
import type { Components, Part } from './components'

/** The envelope of an error. */
const errorSchema = z
  .object({
    data: z.array(z.never()),
    timestamp: z.int().meta({ description: 'Milliseconds since 1970' }),
    code: z.int().meta({ description: 'The HTTP status' }),
    status: z.string().meta({ description: 'The reason phrase in capitals' }),
    meta: z.looseObject({
      validationCount: z
        .int()
        .optional()
        .meta({ description: 'Number of all offending fields, when there are more than listed' }),
    }),
    error: z.string().meta({ description: 'What happened and what to do, in one sentence' }),
    validations: z
      .array(z.object({ field: z.string(), error: z.string() }))
      .optional()
      .meta({
        description: `The first ${MAX_VALIDATIONS} offending fields of invalid input`,
      }),
  })
  .meta({ id: 'Engine.Error' })

/** The form of refusals of plugin archives. */
const pluginErrorSchema = z
  .object({
    status: z.int(),
    error: z.string(),
    meta: z
      .looseObject({
        signature: z
          .enum(['invalid', 'none', 'unknown', 'expired', 'other-key', 'older'])
          .optional()
          .meta({ description: 'What is wrong with the signature of the archive' }),
        confirmation: z
          .literal('factor')
          .optional()
          .meta({ description: 'The caller has to confirm by a second factor first' }),
      })
      .optional(),
    validations: errorSchema.shape.validations.meta({
      description: 'Of a model: the offending fields',
    }),
  })
  .meta({ id: 'Engine.PluginError' })

/** The form of errors below `/api/scim/v2` (RFC 7644, 3.12). */
const scimErrorSchema = z
  .object({
    schemas: z.tuple([z.literal(SCIM_ERROR)]),
    status: z.string(),
    scimType: z.string().optional(),
    detail: z.string(),
  })
  .meta({ id: 'Engine.ScimError' })

type Form = 'Error' | 'PluginError' | 'ScimError'
const FORMS: Record<Form, { schema: z.ZodType; mediaType: string }> = {
  Error: { schema: errorSchema, mediaType: 'application/json' },
  PluginError: { schema: pluginErrorSchema, mediaType: 'application/json' },
  ScimError: { schema: scimErrorSchema, mediaType: SCIM_TYPE },
}

const SENTENCES: Record<number, string> = {
  400: 'The request is not valid',
  401: 'The credential is missing or invalid',
  403: 'The caller lacks the right',
  404: 'It does not exist',
  405: 'The entity is read-only',
  408: 'The body was sent too slowly',
  409: 'The request conflicts with the present state',
  412: 'It was changed in the meantime',
  413: 'It is too large',
  415: 'The media type is not accepted',
  422: 'The request is well formed, but cannot be carried out',
  429: 'Too many requests or attempts; try again later',
  500: 'Internal error; see the log entry with the request id',
  502: 'An external service failed',
  503: 'The database is unavailable or busy; try again in a moment',
  504: 'An external service did not respond in time',
  507: 'The disk of the database is full',
}

const HEADERS: Record<number, Record<string, string>> = {
  401: { 'WWW-Authenticate': 'The accepted kind of credential' },
  405: { Allow: 'The accepted methods' },
  429: { 'Retry-After': 'Seconds to wait' },
  503: { 'Retry-After': 'Seconds to wait' },
}

/** Responses to failures, by status: references to components, which this adds. */
export function errorResponses(
  spec: RouteSpec,
  doc: OperationDoc,
  method: string,
  into: Components,
) {
  const codes: readonly (ErrorCode | 500)[] = [...expected(spec, doc, method), ...(doc.fails ?? [])]
  const statuses = new Set(codes.map((code) => (code === 500 ? code : STATUS[code])))
  const own = formOf(spec)
  return Object.fromEntries(
    [...statuses].map((status) => {
      const name = `Engine.${own}${status}`
      into.responses[name] ??= response(status, own, into)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

function formOf({ access, formatError }: RouteSpec): Form {
  if (access === 'scim') return 'ScimError'
  return formatError ? 'PluginError' : 'Error'
}

/** The possible failures of the route. */
function expected(spec: RouteSpec, doc: OperationDoc, method: string): (ErrorCode | 500)[] {
  const { params, query, body, upload, access, readOnly, load } = spec
  const changes = method !== 'get'
  const hasBody = Boolean(body || upload || doc.body)
  const isOpen = access === 'public' || access === 'optional'
  const isClosed = !isOpen || doc.needsCredential === true
  const mayRepeat = method === 'post' && !isOpen && !readOnly
  const when = (condition: boolean, ...codes: ErrorCode[]) => (condition ? codes : [])
  return [
    ...when(isClosed || Boolean(params || query || hasBody || mayRepeat), 'invalid_input'),
    ...when(isClosed, 'unauthenticated'),
    ...when(isClosed && load !== 'vital', 'rate_limited'),
    ...when(changes || isClosed, 'forbidden'),
    // While there is no token, SCIM is not there.
    ...when(Boolean(params) || access === 'scim', 'not_found'),
    ...when(mayRepeat, 'conflict'),
    ...when(hasBody, 'request_timeout', 'too_large', 'unsupported_media_type'),
    500,
    'unavailable',
    'insufficient_storage',
  ]
}

function response(status: number, own: Form, into: Components): Part {
  const { schema: form, mediaType } = FORMS[own]
  const schema = into.schemaOf(form, 'output')
  const description = SENTENCES[status] ?? reason(status)
  const headers = Object.entries(HEADERS[status] ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ])
  return {
    description,
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    content: { [mediaType]: { schema, example: example(status, own, description) } },
  }
}

function example(status: number, own: Form, error: string): Part {
  if (own === 'ScimError') return { schemas: [SCIM_ERROR], status: String(status), detail: error }
  if (own === 'PluginError') return { status, error }
  const body = { data: [], timestamp: 1_767_225_600_000, code: status, status: reason(status) }
  const validations = status === 400 ? [{ field: 'name', error: 'must not be empty' }] : undefined
  return { ...body, meta: {}, error, validations }
}
