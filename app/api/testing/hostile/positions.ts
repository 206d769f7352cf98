import type { Entity } from '@/lib/definitions/definition'
import { apiDocument } from '@/lib/openapi/api-document'
import type { Part } from '@/lib/openapi/components'
import { wholeViews } from '@/lib/openapi/entity-views'
import { ROUTES } from '../../routes'
import { placesOf, sampleOf } from './body-positions'
import { formOf } from './form'
import { asHeader, inPath, inQuery } from './texts'
import { HOSTILE_JSON, HOSTILE_TEXTS, type Values } from './values'

export type Sent = {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Buffer
}

/** One place of one operation that takes input, and how a hostile value is sent there. */
export type Position = {
  /** `POST /api/users: body.email` */
  name: string
  /** `/api/users/{userId}` */
  path: string
  values: Values
  request: (value: string) => Sent
}

type Parameter = { name: string; in: string; schema?: Part; example?: unknown; required?: boolean }
type Documented = {
  parameters?: Part[]
  requestBody?: { content: Record<string, { schema: Part; example?: unknown }> }
}
/** The value of a path parameter that names something which is there now. */
type Known = (path: string, name: string) => string
type Operation = Pick<Documented, 'requestBody'> & {
  method: string
  path: string
  parameters: Parameter[]
  schemas: Record<string, Part>
  known: Known
}

/** Headers that servers, proxies and browsers send, for any route. */
const HEADERS = [
  ...['accept', 'accept-encoding', 'accept-language', 'authorization', 'content-encoding'],
  ...['content-type', 'cookie', 'expect', 'forwarded', 'host', 'idempotency-key', 'if-match'],
  ...['if-none-match', 'if-modified-since', 'origin', 'prefer', 'range', 'referer'],
  ...['sec-fetch-site', 'server-timing', 'te', 'traceparent', 'tracestate', 'user-agent'],
  ...[
    'x-engine-apikey',
    'x-engine-consistency',
    'x-engine-peer',
    'x-engine-view-as',
    'x-forwarded-for',
  ],
  ...['x-forwarded-host', 'x-forwarded-proto', 'x-http-method-override', 'x-request-id'],
  ...['x-original-url', 'x-middleware-subrequest', 'next-action', 'rsc'],
]

/**
 * Every place of every route that takes input: from the API's document, with the operations of an entity; of routes that
 * it leaves out, their paths. `known` are values of path parameters, so that requests reach something.
 */
export function positionsOf(entity: Entity, known: Known): Position[] {
  return operationsOf(entity, known).flatMap(positionsIn)
}

function operationsOf(entity: Entity, known: Known): Operation[] {
  const actor = { roles: ['ADMIN'], scopes: null } as never
  const options = {
    routes: ROUTES,
    version: '1',
    cookie: 'c',
    entities: [wholeViews(entity)],
    actor,
  }
  const { paths, components } = apiDocument(options)
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters = [], requestBody } = operation as Documented
      const stated = parameters.map((part) => resolved(part, components.parameters))
      const described = { method: method.toUpperCase(), requestBody, parameters: stated }
      return { ...described, path, schemas: components.schemas }
    }),
  )
  return [...found, ...undocumented(Object.keys(paths))].map((one) => ({ ...one, known }))
}

const resolved = (part: Part, parameters: Record<string, Part>) =>
  (typeof part.$ref === 'string'
    ? parameters[part.$ref.split('/').at(-1) ?? '']
    : part) as Parameter

function undocumented(paths: string[]): Omit<Operation, 'known'>[] {
  const templates = Object.keys(ROUTES).map((route) =>
    route.replace(/\[+(?:\.\.\.)?(\w+)\]+/g, '{$1}'),
  )
  const left = templates.filter((path) => !paths.includes(path))
  return left.flatMap((path) =>
    ['GET', 'POST'].map((method) => {
      const parameters = [...path.matchAll(/{(\w+)}/g)].map(([, name = '']) => ({
        name,
        in: 'path',
      }))
      return { method, path, parameters, schemas: {} }
    }),
  )
}

function positionsIn(operation: Operation): Position[] {
  const { method, path, parameters } = operation
  const named: Named = (where, rest) => ({ name: `${method} ${path}: ${where}`, path, ...rest })
  const ofParameters = parameters.map((part) =>
    named(`${part.in}.${part.name}`, {
      values: HOSTILE_TEXTS,
      request: (value) => plain(operation, { [`${part.in}.${part.name}`]: value }),
    }),
  )
  const unknown = named('query.<name>', {
    values: HOSTILE_TEXTS,
    request: (value) => {
      const sent = plain(operation, {})
      return {
        ...sent,
        path: `${sent.path}${sent.path.includes('?') ? '&' : '?'}${inQuery(value)}=1`,
      }
    },
  })
  const headers = named('headers', {
    values: HOSTILE_TEXTS,
    request: (value) => withHeaders(plain(operation, {}), value, `${method}${path}`),
  })
  return [...ofParameters, unknown, headers, ...inBody(operation, named)]
}

/** Some headers, others for each value. */
function withHeaders(sent: Sent, value: string, seed: string): Sent {
  const at = [...seed, ...value.slice(0, 50)].reduce((sum, char) => sum + char.charCodeAt(0), 0)
  const chosen = [0, 1, 2].map((n) => HEADERS[(at + n * 11) % HEADERS.length] as string)
  const added = chosen.map((name) => [name, asHeader(value)])
  return { ...sent, headers: { ...sent.headers, ...Object.fromEntries(added) } }
}

/** A request that has what is required, with hostile values by place: `query.sort`. */
function plain(operation: Operation, hostile: Record<string, string>): Sent {
  const { method, parameters, requestBody, schemas, known } = operation
  let path = operation.path
  const query: string[] = []
  const headers: Record<string, string> = {}
  for (const { name, in: kind, schema, example, required } of parameters) {
    const value = hostile[`${kind}.${name}`]
    const usual =
      kind === 'path'
        ? known(operation.path, name)
        : String(example ?? sampleOf(schema ?? {}, schemas))
    if (kind === 'path') path = path.replace(`{${name}}`, () => inPath(value ?? usual))
    else if (kind === 'query' && (required || value !== undefined))
      query.push(`${name}=${inQuery(value ?? usual)}`)
    else if (value !== undefined) headers[name] = asHeader(value)
  }
  const sent = { method, path: path + (query.length > 0 ? `?${query.join('&')}` : ''), headers }
  return { ...sent, ...usualBody(requestBody, schemas, headers) }
}

function usualBody(
  requestBody: Documented['requestBody'],
  schemas: Record<string, Part>,
  headers: Record<string, string>,
): Pick<Sent, 'headers' | 'body'> {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {}
  if (form) {
    const { body, type } = formOf({})
    return { headers: { ...headers, 'content-type': type }, body }
  }
  if (!json) return { headers }
  const body = JSON.stringify(json.example ?? sampleOf(json.schema, schemas))
  return { headers: { ...headers, 'content-type': 'application/json' }, body }
}

type Named = (where: string, rest: Omit<Position, 'name' | 'path'>) => Position

function inBody(operation: Operation, named: Named): Position[] {
  const { requestBody, schemas } = operation
  return Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) => {
    if (type === 'multipart/form-data') return inForm(operation, schema, named)
    return placesOf(schema, schemas).map(({ where, fill }) =>
      named(where, {
        values: HOSTILE_JSON,
        request: (json) => {
          const sent = plain(operation, {})
          return { ...sent, headers: { ...sent.headers, 'content-type': type }, body: fill(json) }
        },
      }),
    )
  })
}

function inForm(operation: Operation, schema: Part, named: Named): Position[] {
  const fields = Object.keys((schema.properties ?? {}) as object)
  return [...fields, '<name>', '<filename>', '<type>'].map((field) =>
    named(`form.${field}`, {
      values: HOSTILE_TEXTS,
      request: (value) => {
        const sent = plain(operation, {})
        const { body, type } = formOf({ [field]: value })
        return { ...sent, headers: { ...sent.headers, 'content-type': type }, body }
      },
    }),
  )
}
