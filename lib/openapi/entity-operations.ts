import { type Actor, can, type Right } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { type Part, SCHEMAS } from './components'
import { entityTag, type Operation } from './describe-operation'
import { EXAMPLE_BODIES, EXAMPLE_QUERY, exampleId } from './entity-examples'
import type { EntityViews } from './entity-views'

export type GenericOperation = {
  path: string
  method: string
  operation: Operation
  /** The right on one entity that calling it requires. */
  rightFor: (entity: string) => Right | null
}

/** Whether the caller may do this to records of the entity. */
export function isOpenTo(actor: Actor, entity: Entity, right: Right | null): boolean {
  if (right === null || typeof right === 'string') return false
  return entity.definition.permissions[right.action] && can(actor, right)
}

/**
 * The operation of a generic path on one entity: its schemas, and examples with its fields. `shared`
 * are the parameters that operations refer to.
 */
export function operationOn(
  views: EntityViews,
  { path, operation }: Pick<GenericOperation, 'path' | 'operation'>,
  shared: Record<string, Part> = {},
): [path: string, Operation] {
  const { read } = views
  const { name } = read
  const { parameters, ...own } = specialised(operation, name)
  const left = ((parameters ?? []) as Part[]).filter((part) => part.name !== 'entityName')
  const described: Operation = {
    ...own,
    operationId: own.operationId.replace(/Record|Columns/, `${name}$&`),
    tags: [entityTag(name)],
    ...(left.length > 0 ? { parameters: left.map((part) => withExample(part, read, shared)) } : {}),
  }
  addBodyExample(described, operation.operationId, views)
  return [path.replace('{entityName}', name), described]
}

const specialised = (operation: Operation, name: string): Operation =>
  JSON.parse(
    JSON.stringify(operation).replaceAll(`"${SCHEMAS}Engine.Record`, `"${SCHEMAS}${name}`),
  ) as Operation

function withExample(part: Part, entity: Entity, shared: Record<string, Part>): Part {
  if (part.name === 'id') {
    const example = exampleId(entity)
    return example === null ? part : { ...part, example }
  }
  const parameter =
    typeof part.$ref === 'string' ? shared[part.$ref.split('/').at(-1) ?? ''] : undefined
  const example = EXAMPLE_QUERY[parameter?.name as string]
  return parameter && example ? { ...parameter, example: example(entity) } : part
}

function addBodyExample(described: Operation, generic: string, views: EntityViews): void {
  const body = described.requestBody as { content: Record<string, Part> } | undefined
  const content = body?.content['application/json']
  const example = EXAMPLE_BODIES[generic]?.(views)
  if (content && example) content.example = example
}
