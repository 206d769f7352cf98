import {
  type Attribute,
  ENTERPRISE,
  ENTERPRISE_ATTRIBUTES,
  GROUP,
  GROUP_ATTRIBUTES,
  USER,
  USER_ATTRIBUTES,
} from './attributes'
import { LIST, MAX_PAGE, type Resource, type ResourceList } from './contract'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

/** What the server can do (RFC 7643, 5). */
export const serviceProviderConfig = (base: string): Resource => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_PAGE },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token that an administrator makes in Settings',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

type TypeInput = { name: string; endpoint: string; schema: string; extension?: string }

const typeOf = ({ name, endpoint, schema, extension }: TypeInput, base: string): Resource => ({
  schemas: [`${CORE}:ResourceType`],
  id: name,
  name,
  endpoint,
  description: `${name}s`,
  schema,
  ...(extension ? { schemaExtensions: [{ schema: extension, required: false }] } : {}),
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
})

export const resourceTypes = (base: string): Resource[] => [
  typeOf({ name: 'User', endpoint: '/Users', schema: USER, extension: ENTERPRISE }, base),
  typeOf({ name: 'Group', endpoint: '/Groups', schema: GROUP }, base),
]

type SchemaInput = { id: string; name: string; attributes: readonly Attribute[] }

const schemaOf = ({ id, name, attributes }: SchemaInput, base: string): Resource => ({
  schemas: [`${CORE}:Schema`],
  id,
  name,
  description: name,
  attributes,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
})

export const resourceSchemas = (base: string): Resource[] => [
  schemaOf({ id: USER, name: 'User', attributes: USER_ATTRIBUTES }, base),
  schemaOf({ id: GROUP, name: 'Group', attributes: GROUP_ATTRIBUTES }, base),
  schemaOf({ id: ENTERPRISE, name: 'Enterprise user', attributes: ENTERPRISE_ATTRIBUTES }, base),
]

type Page = { total: number; startIndex: number }

export const listResponse = (found: Resource[], { total, startIndex }: Page): ResourceList => ({
  schemas: [LIST],
  totalResults: total,
  startIndex,
  itemsPerPage: found.length,
  Resources: found,
})

export const wholeList = (found: Resource[]): ResourceList =>
  listResponse(found, { total: found.length, startIndex: 1 })
