import { type EntityDisplayDraft, entityDisplayOf, writtenDisplay } from './entity-display'
import {
  isSame,
  stated,
  type WrittenEntity,
  type WrittenKey,
  type WrittenRule,
  type WrittenSchema,
} from './written'

export const ACTIONS = ['read', 'write', 'update', 'delete'] as const
export type Action = (typeof ACTIONS)[number]
export const LOGS = ['history', 'events', 'auditable'] as const
export type Log = (typeof LOGS)[number]

/** An index or a rule over several fields; `schema`: unique in each entity of the schema. */
export type IndexDraft = {
  fields: readonly string[]
  kind: 'index' | 'unique' | 'schema'
  name: string
}

/** What an entity and its schema say besides the fields, as it is edited. */
export type EntityDraft = {
  name: string
  description: string
  keys: readonly WrittenKey[]
  indexes: readonly IndexDraft[]
  logs: Record<Log, boolean>
  isLink: boolean
  insertDuplicate: string
  updateStrategy: string
  permissions: Record<Action, boolean>
  display: EntityDisplayDraft
  /** Of the schema. */
  label: string
  /** Whether undeclared fields are kept. */
  isOpen: boolean
}

export const NEW_KEY: WrittenKey = { key: 'id', strategy: 'AutoIncrement', type: 'number' }

export function entityDraftOf(entity: WrittenEntity, schema: WrittenSchema): EntityDraft {
  const { name, description = '', pks = [NEW_KEY], permissions = {} } = entity
  return {
    ...{ name, description, keys: pks },
    indexes: [
      ...(entity.indexes ?? []).map((rule) => indexOf(rule, rule.unique ? 'unique' : 'index')),
      ...(schema.unique ?? []).map((rule) => indexOf(rule, 'schema')),
    ],
    logs: {
      history: entity.history === true,
      events: entity.events === true,
      auditable: entity.auditable === true,
    },
    isLink: entity.link === true,
    insertDuplicate: entity.insertDuplicate ?? 'Error',
    updateStrategy: entity.updateStrategy ?? 'Upsert',
    permissions: {
      read: permissions.read ?? true,
      write: permissions.write ?? true,
      update: permissions.update ?? true,
      delete: permissions.delete ?? true,
    },
    display: entityDisplayOf(entity.display),
    label: schema.label ?? '',
    isOpen: schema.additionalProperties !== false,
  }
}

const indexOf = ({ fields, name = '' }: WrittenRule, kind: IndexDraft['kind']): IndexDraft => ({
  ...{ fields, kind, name },
})

/** The entity with what was edited; as it was where nothing was. */
export function editedEntity(
  before: WrittenEntity,
  draft: EntityDraft,
  former: EntityDraft,
): WrittenEntity {
  const { name, description, keys, indexes, logs, insertDuplicate, updateStrategy } = draft
  const isEdited = changedOf(draft, former)
  const own = indexes.filter(({ kind }) => kind !== 'schema')
  return stated<WrittenEntity>({
    ...before,
    name: name.trim(),
    ...(isEdited('description') ? { description: description.trim() || undefined } : {}),
    ...(isEdited('keys') ? { pks: keys } : {}),
    ...(isEdited('indexes')
      ? { indexes: own.map((one) => ({ ...ruleOf(one), unique: one.kind === 'unique' })) }
      : {}),
    ...(isEdited('logs')
      ? {
          auditable: logs.auditable,
          history: logs.history || undefined,
          events: logs.events || undefined,
        }
      : {}),
    ...(isEdited('isLink') ? { link: draft.isLink || undefined } : {}),
    ...(isEdited('insertDuplicate') ? { insertDuplicate } : {}),
    ...(isEdited('updateStrategy') ? { updateStrategy } : {}),
    ...(isEdited('permissions') ? { permissions: draft.permissions } : {}),
    ...(isEdited('display') ? { display: writtenDisplay(draft.display, before.display) } : {}),
  })
}

/** The schema with what was edited of it besides its fields. */
export function editedHead<S extends WrittenSchema>(
  before: S,
  draft: EntityDraft,
  former: EntityDraft,
): S {
  const { label, isOpen, indexes } = draft
  const isEdited = changedOf(draft, former)
  const rules = indexes.filter(({ kind }) => kind === 'schema').map(ruleOf)
  return stated<S>({
    ...before,
    ...(isEdited('label') ? { label: label.trim() || undefined } : {}),
    ...(isEdited('isOpen') ? { additionalProperties: isOpen } : {}),
    ...(isEdited('indexes') ? { unique: rules.length > 0 ? rules : undefined } : {}),
  })
}

const ruleOf = ({ fields, kind, name }: IndexDraft): WrittenRule => ({
  fields,
  ...(kind === 'index' || name.trim() === '' ? {} : { name: name.trim() }),
})

const changedOf = (draft: EntityDraft, former: EntityDraft) => (part: keyof EntityDraft) =>
  !isSame(draft[part], former[part])
