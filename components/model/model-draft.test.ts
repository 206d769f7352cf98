import { expect, test } from 'vitest'
import { type EntityDraft, entityDraftOf } from './entity-draft'
import { emptyField } from './field-draft'
import {
  editedModel,
  isEdited,
  type ModelBase,
  modelDraftOf,
  modelEdits,
  rebasedModel,
} from './model-draft'

const BASE: ModelBase = {
  entity: {
    ...{ name: 'Stay', dbTable: 'stay', engineSchema: 'Booking' },
    pks: [{ key: 'id', strategy: 'Fixed', type: 'string', renamedFrom: ['no'] }],
    ...{ insertDuplicate: 'Upsert', updateStrategy: 'Upsert', auditable: false, history: true },
    permissions: { read: true, write: true, update: true, delete: false },
    indexes: [{ fields: ['room', 'day'], unique: true, name: 'One stay' }],
  },
  schema: {
    ...{ name: 'Booking', additionalProperties: false },
    unique: [{ fields: ['day', 'guest'] }],
    properties: [{ name: 'room', type: 'string' }],
  },
}
const edited = (part: Partial<EntityDraft>) => {
  const draft = modelDraftOf(BASE)
  return { ...draft, entity: { ...draft.entity, ...part } }
}

test('definitions that are not edited are not written', () => {
  expect(editedModel(BASE, modelDraftOf(BASE))).toEqual({ entities: [], schemas: [] })
  expect(isEdited(BASE, modelDraftOf(BASE))).toBe(false)
  expect(modelEdits(BASE, modelDraftOf(BASE))).toEqual([])
})

test('what is edited is written, and all else stays as it is', () => {
  const permissions = { read: true, write: true, update: true, delete: true }
  const logs = { history: false, events: true, auditable: true }
  const draft = edited({ permissions, logs, description: ' Nights ', label: 'Stays', isLink: true })
  const { history: _, ...entity } = BASE.entity
  expect(editedModel(BASE, draft)).toEqual({
    entities: [
      {
        ...{ ...entity, description: 'Nights', permissions },
        ...{ auditable: true, events: true, link: true },
      },
    ],
    schemas: [{ ...BASE.schema, label: 'Stays' }],
  })
  expect(modelEdits(BASE, draft)).toEqual([
    'Change the title',
    'Change the description',
    'Change what is kept of changes',
    'Change whether its records link two others',
    'Change the permitted actions',
  ])
})

test('rules across fields are of the entity or of its schema', () => {
  const draft = edited({
    indexes: [
      { fields: ['room'], kind: 'index', name: 'of no use' },
      { fields: ['guest', 'day'], kind: 'unique', name: ' One bed ' },
    ],
  })
  const { unique: _, ...schema } = BASE.schema
  expect(editedModel(BASE, draft)).toEqual({
    entities: [
      {
        ...BASE.entity,
        indexes: [
          { fields: ['room'], unique: false },
          { fields: ['guest', 'day'], name: 'One bed', unique: true },
        ],
      },
    ],
    schemas: [schema],
  })
})

test('indexes and rules go with a field that they name', () => {
  const draft = modelDraftOf(BASE)
  const fields = draft.fields.map((field) => ({ ...field, isRemoved: true }))
  expect(editedModel(BASE, { ...draft, fields })).toEqual({
    entities: [{ ...BASE.entity, indexes: [] }],
    schemas: [{ ...BASE.schema, properties: [] }],
  })
  expect(modelEdits(BASE, { ...draft, fields })).toEqual([
    'Remove room',
    'Change indexes and rules across fields',
  ])
})

test('how records are shown is edited, and goes with the fields that it names', () => {
  const entity = {
    ...BASE.entity,
    display: { title: 'room', columns: ['room', 'id'], form: 'calendar', date: 'day', 'x-of': 1 },
  }
  const base = { ...BASE, entity } as ModelBase
  const draft = modelDraftOf(base)
  expect(editedModel(base, draft)).toEqual({ entities: [], schemas: [] })
  const display = { ...draft.entity.display, columns: ['id'], form: '', date: '', image: 'room' }
  const changed = { ...draft, entity: { ...draft.entity, display } }
  expect(modelEdits(base, changed)).toEqual(['Change how records are shown'])
  expect(editedModel(base, changed).entities[0]?.display).toEqual({
    ...{ title: 'room', columns: ['id'], image: 'room', 'x-of': 1 },
  })
  const fields = draft.fields.map((field) => ({ ...field, isRemoved: true }))
  expect(editedModel(base, { ...changed, fields }).entities[0]?.display).toEqual({
    ...{ columns: ['id'], 'x-of': 1 },
  })
  const none = { ...display, title: '', columns: [], image: '' }
  const plain = { ...base, entity: { ...entity, display: { title: 'room' } } } as ModelBase
  const emptied = { ...draft, entity: { ...draft.entity, display: none } }
  expect(editedModel(plain, emptied).entities[0]).not.toHaveProperty('display')
})

test('edits go on over definitions that were changed meanwhile', () => {
  const draft = { ...edited({ label: 'Stays' }), fields: [{ ...emptyField(), name: 'note' }] }
  const former = entityDraftOf(BASE.entity, BASE.schema)
  const now = { ...BASE, entity: { ...BASE.entity, auditable: true } }
  const rebased = rebasedModel({ draft, former }, now)
  expect(rebased.entity).toMatchObject({ label: 'Stays', logs: { auditable: true } })
  expect(editedModel(now, rebased)).toMatchObject({
    entities: [],
    schemas: [{ label: 'Stays', properties: [{ name: 'note' }, { name: 'room' }] }],
  })
})

test('a new entity and its schema have the name that was typed', () => {
  const base = { entity: { name: '' }, schema: { name: '', properties: [] } }
  const draft = modelDraftOf(base)
  const model = { entity: { ...draft.entity, name: 'Guest ' }, fields: [] }
  expect(editedModel(base, model)).toEqual({
    entities: [{ name: 'Guest' }],
    schemas: [{ name: 'Guest', properties: [] }],
  })
})
