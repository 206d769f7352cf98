import type { z } from 'zod'
import type { OperationDoc, ResponseDoc, ResponseHeader } from '@/lib/http/doc'
import type { RouteSpec } from '@/lib/http/route-spec'
import type { Components, Part } from './components'
import { errorResponses } from './error-responses'
import { parametersOf } from './parameters'
import { listOf } from './responses'

export type Operation = Part & { operationId: string; responses: Record<string, Part> }

/** An operation in the document, or null for one that is left out. `path` is `/api/x/{id}`. */
export function describeOperation(
  spec: RouteSpec,
  path: string,
  method: string,
  into: Components,
): Operation | null {
  const { doc } = spec
  if ('undocumented' in doc) return null
  const parameters = parametersOf(spec, path, doc, method, into)
  const requestBody = requestBodyOf(spec, doc, into)
  return {
    operationId: doc.id,
    summary: doc.summary,
    ...(doc.description ? { description: doc.description } : {}),
    tags: [tagOf(path)],
    ...security(spec, doc),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      ...errorResponses(spec, doc, method, into),
      ...responsesOf(doc, changes(spec, method), into),
    },
  }
}

/** The document's default applies unless an operation overrides it. */
function security({ access }: RouteSpec, { needsCredential }: OperationDoc): Part {
  if (needsCredential) return {}
  if (access === 'public') return { security: [] }
  if (access === 'scim') return { security: [{ scimToken: [] }] }
  if (access === 'own-session') return { security: [{ session: [] }] }
  return access === 'optional' ? { security: [{}, ...CREDENTIALS] } : {}
}

/** Ways to authenticate, any of which is sufficient. */
export const CREDENTIALS: Record<string, string[]>[] = [
  { bearerKey: [] },
  { headerKey: [] },
  { session: [] },
]

function requestBodyOf(spec: RouteSpec, doc: OperationDoc, into: Components): Part | null {
  const { body: read, form, example } = doc
  const contentOf = (schema: z.ZodType) => ({ schema: into.schemaOf(schema, 'input') })
  if (form) return { required: true, content: { 'multipart/form-data': contentOf(form) } }
  if (read) return { required: true, content: mapValues(read, contentOf) }
  const schema = bodySchema(spec)
  if (!schema) return null
  const shown = example === undefined ? {} : { example }
  const required = spec.optionalBody !== true
  return { required, content: { 'application/json': { ...contentOf(schema), ...shown } } }
}

/** The schema of the body; if it depends on the query, the one for an empty query. */
export function bodySchema({ body, query }: RouteSpec): z.ZodType | undefined {
  return typeof body === 'function' ? body((query?.parse({}) ?? {}) as never) : body
}

const changes = ({ readOnly }: RouteSpec, method: string) => !(readOnly || method === 'get')

const responsesOf = (
  { responses }: OperationDoc,
  isChange: boolean,
  into: Components,
): Record<string, Part> =>
  mapValues(responses as Record<string, ResponseDoc | z.ZodType>, (response, status) => {
    const { description, content, headers } = 'content' in response ? response : listOf(response)
    return {
      description: description ?? MEANINGS[status] ?? 'OK',
      headers: { ...headersOf(headers), ...(isChange && CONSISTENCY) },
      ...(Object.keys(content).length === 0 ? {} : { content: contentOf(content, into) }),
    }
  })

const MEANINGS: Record<string, string> = {
  201: 'Created',
  202: 'Accepted',
  206: 'A part of it',
}

const contentOf = (content: Record<string, z.ZodType>, into: Components) =>
  mapValues(content, (schema) => ({ schema: into.schemaOf(schema, 'output') }))

const HEADERS: Record<ResponseHeader, string> = {
  ETag: 'The version of what is returned',
  Location: 'The address of its progress',
  'Preference-Applied': 'The preference that was followed',
  'Idempotency-Replayed': '`true`: the response of an earlier request with the same key',
  'Accept-Ranges': 'The units in which ranges can be requested',
  'Content-Range': 'The returned range',
  'Content-Disposition': 'The name of the file',
  'Set-Cookie': 'The session cookie',
  'X-Engine-Changes-Cursor':
    'From where to follow the changes of what is returned, of entities whose changes are kept; not where there are replicas',
}

const headersOf = (names: readonly ResponseHeader[] = []): Record<string, Part> => ({
  'X-Request-Id': header('Names the entry in the log'),
  'Server-Timing': header('Milliseconds: `auth`, `parse`, `db` (of all statements) and `total`'),
  ...Object.fromEntries(names.map((name) => [name, header(HEADERS[name])])),
})

const CONSISTENCY = {
  'X-Engine-Consistency': {
    description: 'Where there are replicas: send it with a read that must see this change',
    schema: { type: 'string' },
  },
}

const header = (description: string): Part => ({ description, schema: { type: 'string' } })

const mapValues = <T>(values: Record<string, T>, map: (value: T, key: string) => Part) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]))

/** The groups of operations, in the order of the reference; by the first part of their path. */
const TAGS: Record<string, { name: string; description: string }> = {
  entities: { name: 'Records', description: 'Records of any entity, by its name' },
  changes: { name: 'Records', description: 'Records of any entity, by its name' },
  records: { name: 'Records', description: 'Records of any entity, by its name' },
  exports: { name: 'Exports', description: 'Files that are prepared in the background' },
  imports: { name: 'Imports', description: 'Files that become records' },
  trash: { name: 'Trash', description: 'Deletions that can be undone' },
  plugins: { name: 'Plugins', description: 'Archives with entities, records and policies' },
  publishers: { name: 'Publishers', description: 'Whose keys are trusted to sign plugins' },
  servers: { name: 'Other servers', description: 'Promotions between servers' },
  promotions: { name: 'Other servers', description: 'Promotions between servers' },
  tasks: { name: 'Tasks', description: 'What is running' },
  images: { name: 'Images', description: 'Images and their metadata' },
  users: { name: 'Users', description: 'Accounts of people' },
  roles: { name: 'Roles', description: 'Roles, and what they may do' },
  rights: { name: 'Roles', description: 'Roles, and what they may do' },
  auth: { name: 'Sign-in', description: 'Links in mails, and the first administrator' },
  scim: { name: 'SCIM', description: 'Users and groups of an identity provider (RFC 7644)' },
  'api-keys': { name: 'API keys', description: 'Credentials of programs' },
  mails: { name: 'Mails', description: 'The outbox' },
  views: { name: 'Saved views', description: 'Searches that users save' },
  service: { name: 'Service', description: 'The server itself' },
}

const tagAt = (path: string) =>
  TAGS[path.split('/')[2] ?? ''] ?? (TAGS.service as { name: string; description: string })

/** The group of the operation at `/api/users/me`: `Users`. */
const tagOf = (path: string): string => tagAt(path).name

export const ALL_TAGS = [...new Map(Object.values(TAGS).map((tag) => [tag.name, tag])).values()]

/** The group of the operations on one entity; no other group ends like this. */
export const entityTag = (entity: string) => `${entity} records`
