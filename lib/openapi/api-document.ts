import type { Actor, Right } from '@/lib/auth/rights'
import type { Handler } from '@/lib/http/route'
import type { RouteSpec } from '@/lib/http/route-spec'
import { Components, type Part } from './components'
import {
  ALL_TAGS,
  CREDENTIALS,
  describeOperation,
  entityTag,
  type Operation,
} from './describe-operation'
import { type GenericOperation, isOpenTo, operationOn } from './entity-operations'
import type { EntityViews } from './entity-views'
import { schemaSources } from './schema-sources'

/** Handlers by method, as a `route.ts` exports them; by path, `/api/users/[userId]`. */
export type Routes = Record<string, Partial<Record<string, Handler>>>

type Input = {
  routes: Routes
  version: string
  /** Name of the session cookie. */
  cookie: string
  /** Those that the caller may read. */
  entities: readonly EntityViews[]
  actor: Actor | null
}

/** The API as an OpenAPI 3.1 document: every route, and each entity that the caller may read. */
export function apiDocument({ routes, version, cookie, entities, actor }: Input) {
  const generic = genericOf(routes)
  const components = new Components(schemaSources(entities)).with(generic.components)
  const own = actor ? entities.flatMap((views) => onEntity(views, generic, actor)) : []
  components.require(own)
  const paths = byPath([...generic.operations, ...own])
  return {
    openapi: '3.1.0',
    info: { title: 'Engine', version, summary: SUMMARY, description: DESCRIPTION },
    servers: [{ url: '/', description: 'This server' }],
    security: CREDENTIALS,
    tags: [...ALL_TAGS, ...entities.map(tagOfEntity)],
    'x-tagGroups': groups(entities),
    paths,
    components: { ...components.toJSON(), securitySchemes: securitySchemes(cookie) },
  }
}

const SUMMARY = 'A back end whose data model comes in plugins'
const DESCRIPTION =
  'Responses are `{ data, timestamp, code, status, meta, pagination? }`, where `data` is a list; errors have `error`, and `validations` that name every offending field. With a credential, the document includes the entities that the caller may read.'

function byPath(operations: readonly Pick<GenericOperation, 'path' | 'method' | 'operation'>[]) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { path, method, operation } of operations)
    paths[path] = { ...paths[path], [method]: operation }
  return paths
}

type Generic = { operations: GenericOperation[]; components: Components }

const described = new WeakMap<Routes, Generic>()

/** The part that is the same for all callers, made once. */
function genericOf(routes: Routes): Generic {
  const known = described.get(routes)
  if (known) return known
  const components = new Components(schemaSources([]))
  const operations = operationsOf(routes, components)
  described.set(routes, { operations, components })
  return { operations, components }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function operationsOf(routes: Routes, components: Components): GenericOperation[] {
  return Object.entries(routes).flatMap(([route, handlers]) => {
    const path = openApiPath(route)
    return METHODS.flatMap((name) => {
      const spec = handlers[name]?.spec
      const method = name.toLowerCase()
      const operation = spec ? describeOperation(spec, path, method, components) : null
      return spec && operation ? [{ path, method, operation, rightFor: rightOf(spec) }] : []
    })
  })
}

/** `/api/images/files/[...path]` → `/api/images/files/{path}` */
const openApiPath = (route: string) => route.replace(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}')

const rightOf =
  ({ access }: RouteSpec) =>
  (entityName: string): Right | null =>
    typeof access === 'function'
      ? access({ entityName } as never, () => new URLSearchParams())
      : null

const onEntity = (views: EntityViews, { operations, components }: Generic, actor: Actor) =>
  operations
    .filter(({ path }) => path.startsWith('/api/entities/{entityName}'))
    .filter((generic) => isOpenTo(actor, views.read, generic))
    .map((one) => {
      const [path, operation] = operationOn(views, one, components.parameters)
      return { path, method: one.method, operation }
    })

const tagOfEntity = ({ read: { name, definition, schema } }: EntityViews) => ({
  name: entityTag(name),
  description: definition.description ?? schema?.description ?? `Operations on ${name}`,
})

const groups = (entities: readonly EntityViews[]): Part[] => [
  { name: 'Engine', tags: ALL_TAGS.map(({ name }) => name) },
  ...(entities.length > 0
    ? [{ name: 'Entities', tags: entities.map(({ read }) => entityTag(read.name)) }]
    : []),
]

const securitySchemes = (cookie: string) => ({
  bearerKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `Authorization: Bearer <key>`',
  },
  headerKey: { type: 'apiKey', in: 'header', name: 'X-Engine-ApiKey', description: 'An API key' },
  scimToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The SCIM token, which opens nothing else',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: cookie,
    description: 'The session of the console; changes must come from its own pages',
  },
})
