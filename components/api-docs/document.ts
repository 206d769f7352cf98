/** A JSON Schema as OpenAPI 3.1 has it; the keywords that the reference shows. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  title?: string
  description?: string
  properties?: Record<string, SchemaLike>
  required?: string[]
  additionalProperties?: SchemaLike
  items?: SchemaLike
  prefixItems?: SchemaLike[]
  anyOf?: SchemaLike[]
  oneOf?: SchemaLike[]
  allOf?: SchemaLike[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  examples?: unknown[]
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  contentMediaType?: string
}

/** `true` takes anything, `false` nothing. */
export type SchemaLike = Schema | boolean

type Ref = { $ref?: string }

export type Content = Record<string, { schema?: SchemaLike } & Examples>

export type Examples = {
  example?: unknown
  examples?: Record<string, { value?: unknown; $ref?: string }>
}

export type Parameter = Ref &
  Examples & {
    name: string
    in: 'path' | 'query' | 'header' | 'cookie'
    description?: string
    required?: boolean
    schema?: SchemaLike
  }

type Header = Ref & { description?: string; schema?: SchemaLike }

export type ResponseObject = Ref & {
  description?: string
  content?: Content
  headers?: Record<string, Header>
}

export type RequestBody = Ref & { description?: string; required?: boolean; content?: Content }

/** Names of schemes that are needed together; an empty one means that none is. */
export type Security = Record<string, string[]>[]

export type OperationObject = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  deprecated?: boolean
  parameters?: Parameter[]
  requestBody?: RequestBody
  responses?: Record<string, ResponseObject>
  security?: Security
}

export type SecurityScheme = Ref & {
  type: string
  scheme?: string
  name?: string
  in?: string
  description?: string
}

type PathItem = Partial<Record<Method, OperationObject>> & { parameters?: Parameter[] }

/** What the reference reads of the document at `/api/openapi.json`. */
export type ApiDocument = {
  info: { title: string; version: string; description?: string }
  servers?: { url: string }[]
  tags?: { name: string; description?: string }[]
  security?: Security
  paths: Record<string, PathItem>
  components?: {
    schemas?: Record<string, SchemaLike>
    securitySchemes?: Record<string, SecurityScheme>
  }
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof METHODS)[number]

/**
 * What a `$ref` within the document names, chains followed; a thing that is no reference as it is.
 * What stands beside the `$ref` wins. Null when the name leads nowhere or in a circle.
 */
export function resolve<T extends Ref>(document: ApiDocument, thing: T): T | null {
  let found: T = thing
  for (let steps = 0; found.$ref !== undefined; steps += 1) {
    const target = steps < MAX_CHAIN ? lookUp(document, found.$ref) : undefined
    if (!target) return null
    const { $ref: _, ...beside } = found
    found = { ...(target as T), ...beside }
  }
  return found
}

const MAX_CHAIN = 16

function lookUp(document: ApiDocument, ref: string): object | undefined {
  if (!ref.startsWith('#/')) return undefined
  let place: unknown = document
  for (const part of ref.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined
    place = (place as Record<string, unknown>)[key]
  }
  return typeof place === 'object' && place !== null ? place : undefined
}
