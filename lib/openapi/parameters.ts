import type { OperationDoc, RequestHeader } from '@/lib/http/doc'
import type { RouteSpec } from '@/lib/http/route-spec'
import { type Components, jsonSchemaOf, type Part } from './components'

const HEADERS: Record<RequestHeader | 'Idempotency-Key', string> = {
  'If-Match': 'The `ETag` that the change is based on; 412 if the record has changed since',
  'If-None-Match': 'An `ETag` of an earlier response; 304 if it is still current',
  'If-Range': 'The `ETag` that the range belongs to',
  'Idempotency-Key':
    'Of up to 255 characters. For 24 hours the same key and request get the same response and take effect once',
  'Last-Event-ID': 'Continues after this event',
  Prefer: '`respond-async`: respond immediately and continue in the background',
  Range: 'A range of bytes',
  'X-Engine-Consistency':
    'Of the response to a change, which is then seen wherever the server reads from',
  'X-Engine-View-As':
    '`role:<name>`, `user:<id>` or `key:<id>`: answers as these would be answered; needs the right `security:manage`, which no scopes limit',
}

/** Parameters of an operation: those of its path, its query and its headers. */
export function parametersOf(
  spec: RouteSpec,
  path: string,
  doc: OperationDoc,
  method: string,
  into: Components,
) {
  const isOpen = spec.access === 'public' || spec.access === 'optional'
  const mayRepeat = method === 'post' && !isOpen && !spec.readOnly
  const headers = [...(doc.headers ?? []), ...(mayRepeat ? (['Idempotency-Key'] as const) : [])]
  return [
    ...pathParameters(spec, path),
    ...queryParameters(spec).map((part) => shared(`${doc.id}.${part.name}`, part, into)),
    ...headers.map((name) => shared(`Engine.${name}`, headerParameter(name), into)),
  ]
}

/** Entities repeat the operations of the generic paths, so their parameters are shared. */
function shared(name: string, part: Part, into: Components): Part {
  into.parameters[name] ??= part
  return { $ref: `#/components/parameters/${name}` }
}

const headerParameter = (name: keyof typeof HEADERS): Part => ({
  name,
  in: 'header',
  description: HEADERS[name],
  schema: { type: 'string' },
})

function pathParameters({ params }: RouteSpec, path: string): Part[] {
  const schemas = params ? propertiesOf(jsonSchemaOf(params, 'input').root) : {}
  return [...path.matchAll(/{(\w+)}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...described(schemas[name as string] ?? { type: 'string' }),
  }))
}

function queryParameters({ query }: RouteSpec): (Part & { name: string })[] {
  if (!query) return []
  const { root: sent } = jsonSchemaOf(query, 'input')
  // The parsed type says more than the text does: `boolean`, `integer`.
  const meant = propertiesOf(jsonSchemaOf(query, 'output').root)
  const required = new Set((sent.required as string[] | undefined) ?? [])
  return Object.entries(propertiesOf(sent)).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.has(name) ? { required: true } : {}),
    ...described(meant[name]?.type ? meant[name] : schema),
  }))
}

function described({ description, default: value, ...schema }: Part): Part {
  const initial = value === undefined || value === '' ? {} : { default: value }
  return { ...(description ? { description } : {}), schema: { ...schema, ...initial } }
}

const propertiesOf = (schema: Part) => (schema.properties ?? {}) as Record<string, Part>
