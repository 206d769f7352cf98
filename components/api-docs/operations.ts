import {
  type ApiDocument,
  METHODS,
  type Method,
  type OperationObject,
  type Parameter,
  type RequestBody,
  type ResponseObject,
  resolve,
  type Security,
} from './document'

/** One operation with everything that the document says about it in other places. */
export type Operation = {
  /** Its address on the page: `/api-docs#<id>`. */
  id: string
  method: Method
  path: string
  summary: string
  description?: string
  tag: string
  deprecated: boolean
  parameters: Parameter[]
  body: RequestBody | null
  responses: { status: string; response: ResponseObject }[]
  security: Security
}

export type OperationGroup = { tag: string; description?: string; operations: Operation[] }

/** All operations by tag, tags in the order of the document's list and then of their appearance. */
export function groupOperations(document: ApiDocument): OperationGroup[] {
  const groups = new Map<string, OperationGroup>(
    (document.tags ?? []).map(({ name, description }) => [
      name,
      { tag: name, description, operations: [] },
    ]),
  )
  for (const operation of listOperations(document)) {
    const group = groups.get(operation.tag) ?? { tag: operation.tag, operations: [] }
    groups.set(operation.tag, group)
    group.operations.push(operation)
  }
  return [...groups.values()].filter(({ operations }) => operations.length > 0)
}

const listOperations = (document: ApiDocument): Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const found = item[method]
      return found ? [toOperation(document, path, method, found)] : []
    }),
  )

function toOperation(
  document: ApiDocument,
  path: string,
  method: Method,
  found: OperationObject,
): Operation {
  const { operationId, summary, description, tags, deprecated = false, requestBody } = found
  const shared = document.paths[path]?.parameters ?? []
  return {
    id: operationId ?? `${method}-${path.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')}`,
    method,
    path,
    summary: summary ?? path,
    description,
    tag: tags?.[0] ?? 'Other',
    deprecated,
    parameters: mergeParameters(document, [...shared, ...(found.parameters ?? [])]),
    body: requestBody ? resolve(document, requestBody) : null,
    responses: Object.entries(found.responses ?? {}).flatMap(([status, response]) => {
      const resolved = resolve(document, response)
      return resolved ? [{ status, response: resolved }] : []
    }),
    security: found.security ?? document.security ?? [],
  }
}

/** An operation's own parameter stands for the path's of the same name and place. */
function mergeParameters(document: ApiDocument, all: Parameter[]): Parameter[] {
  const resolved = all.flatMap((each) => resolve(document, each) ?? [])
  return [...new Map(resolved.map((each) => [`${each.in} ${each.name}`, each])).values()]
}

/** Those in which every word of `text` occurs; a group without any is left out. */
export function filterGroups(groups: readonly OperationGroup[], text: string): OperationGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...groups]
  return groups
    .map((group) => ({ ...group, operations: group.operations.filter(holds(words)) }))
    .filter(({ operations }) => operations.length > 0)
}

const holds = (words: string[]) => (operation: Operation) => {
  const { id, method, path, summary, tag } = operation
  const text = [id, method, path, summary, tag].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** Whether it needs no credential. */
export const isOpen = ({ security }: Operation): boolean =>
  security.length === 0 || security.some((needed) => Object.keys(needed).length === 0)
