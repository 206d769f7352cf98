import { type Part, SCHEMAS } from './components'
import type { DescribedEntity } from './entity-views'

/** Whether records of the entity have a list of this name. */
export const isList = ({ links = [], children = [] }: DescribedEntity, name: string): boolean =>
  [...links, ...children].some(({ relation }) => relation === name)

/** The lists of linked records and of children, as they are written with a record. */
export const listSchemas = ({ links = [], children = [] }: DescribedEntity, isNew: boolean): Part =>
  Object.fromEntries([
    ...links.map(({ relation, entity, link }) => [relation, linkedKeys(entity, link)]),
    ...children.map(({ relation, entity }) => [
      relation,
      isNew ? newChildren(entity) : changedChildren(entity),
    ]),
  ])

const KEYS: Part = { type: 'array', items: {} }

const linkedKeys = (entity: string, link: string): Part => ({
  description: `Keys of records of ${entity}, linked by records of ${link}: a list replaces them`,
  anyOf: [
    KEYS,
    { type: 'object', properties: { add: KEYS, remove: KEYS }, additionalProperties: false },
  ],
})

/** Without the fields that refer to the record, which forms of whole records require. */
const recordsOf = (entity: string): Part => ({
  type: 'array',
  items: { $ref: `${SCHEMAS}${entity}.Change` },
})

const newChildren = (entity: string): Part => ({
  description: `New records of ${entity} that refer to this one`,
  anyOf: [
    recordsOf(entity),
    { type: 'object', properties: { create: recordsOf(entity) }, additionalProperties: false },
  ],
})

const changedChildren = (entity: string): Part => ({
  description: `Records of ${entity} that refer to this one: new ones, fields to change with their keys, keys of those to delete`,
  type: 'object',
  properties: { create: recordsOf(entity), update: recordsOf(entity), delete: KEYS },
  additionalProperties: false,
})
