import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { currentActor } from '@/lib/auth/load-actor'
import type { Deps } from '@/lib/deps'
import type { RouteSpec } from '@/lib/http/route-spec'
import { Components, type Part } from '@/lib/openapi/components'
import { describeOperation } from '@/lib/openapi/describe-operation'
import { operationOn } from '@/lib/openapi/entity-operations'
import { type EntityViews, viewsFor, wholeViews } from '@/lib/openapi/entity-views'
import { schemaSources } from '@/lib/openapi/schema-sources'
import { listEntities } from '@/lib/registry/registry'
import type { JsonObject } from '@/lib/values/json'
import { parseDuration } from '@/lib/values/parse-duration'

type Received = { status: number; contentType: string | null; body?: JsonObject; text: string }
type Asked = { method: string; entityName?: string; request: Request }

/**
 * Throws when a response is not as documented by the API's document: an undocumented status or
 * media type, or another shape, down to the fields of the entity that the caller may read. Undocumented routes pass.
 */
export async function checkResponse(deps: Deps, spec: RouteSpec, asked: Asked, received: Received) {
  if ('undocumented' in spec.doc) return
  const check = checkFor(spec, asked.method, null, received)
  check(received.body)
  const { entityName } = asked
  const data = received.body?.data as JsonObject[] | undefined
  if (!entityName || !data || received.status >= 300 || data.every(isBareId)) return
  const entities = await listEntities(deps)
  const actor = await currentActor(asked.request, deps).catch(() => null)
  const all = actor ? viewsFor(actor, entities) : entities.map(wholeViews)
  const views = all.find(({ read }) => read.name === entityName)
  // A record that was written and is shown no longer.
  const body = { ...received.body, data: data.filter((record) => !isBareId(record)) }
  if (views) checkFor(spec, asked.method, { views, all }, received)(body)
}

/** The whole response for callers who may write, but not read. */
const isBareId = (record: JsonObject) => Object.keys(record).join() === 'persistenceId'

type Installed = { views: EntityViews; all: EntityViews[] }
type Check = (body: unknown) => void

const checks = new WeakMap<RouteSpec, Map<string, Check>>()

/** Made once for each operation, status and definition of an entity. */
function checkFor(
  spec: RouteSpec,
  method: string,
  installed: Installed | null,
  received: Received,
): Check {
  const known = checks.get(spec) ?? new Map<string, Check>()
  checks.set(spec, known)
  const { name, properties, open, shownInSome = [] } = installed?.views.read ?? {}
  const definition = JSON.stringify([name, properties, open, [...shownInSome]])
  const id = `${method} ${received.status} ${received.contentType} ${definition}`
  const check = known.get(id) ?? makeCheck(spec, method, installed, received)
  known.set(id, check)
  return check
}

function makeCheck(
  spec: RouteSpec,
  method: string,
  installed: Installed | null,
  { status, contentType, text }: Received,
): Check {
  const components = new Components(schemaSources(installed?.all ?? []), true)
  const generic = describeOperation(spec, '', method.toLowerCase(), components)
  if (!generic) return () => {}
  const operation = installed
    ? operationOn(installed.views, { path: '', operation: generic })[1]
    : generic
  components.require(operation)
  const name = `${operation.operationId} (${method})`
  const response = resolve(operation.responses[status], components)
  if (!response) throw new Error(`${name} returned ${status}, which the document lacks: ${text}`)
  const content = response.content as Record<string, { schema: Part }> | undefined
  const mediaType = contentType?.split(';')[0] ?? ''
  if (!content) return requireNoBody(name, status, contentType)
  const schema = (content[mediaType] ?? content[mediaType.replace(/\/.*/, '/*')])?.schema
  if (!schema) throw new Error(`${name} returned ${contentType}, which the document lacks`)
  if (!/^application\/(scim\+)?json$/.test(mediaType)) return () => {}
  const validate = ajv.compile({ ...schema, components: components.toJSON() })
  return (body) => requireValid(validate, body, `${name}, ${status}`)
}

const resolve = (part: Part | undefined, { responses }: Components): Part | undefined =>
  typeof part?.$ref === 'string' ? responses[part.$ref.split('/').at(-1) ?? ''] : part

const requireNoBody = (name: string, status: number, contentType: string | null): Check => {
  return (body) => {
    if (body !== undefined) throw new Error(`${name} returned ${status} with ${contentType}`)
  }
}

// Without `strict`, Ajv accepts the examples and the components next to a schema.
const ajv = new Ajv2020({ strict: false, validateSchema: false, addUsedSchema: false })
formats.default(ajv)
// With signs and fractions of seconds, which RFC 3339 leaves out of ISO 8601.
ajv.addFormat('duration', (text: string) => parseDuration(text) !== null)

function requireValid(validate: ValidateFunction, body: unknown, name: string): void {
  if (validate(body)) return
  const [error] = validate.errors ?? []
  const where = `${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`
  throw new Error(
    `${name} returned what the document does not describe: ${where}\n${JSON.stringify(body).slice(0, 2000)}`,
  )
}
