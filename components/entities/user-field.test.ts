import { expect, test } from 'vitest'
import { userHeldBy } from './use-filter-fields'

const text = (name: string, rules = {}) => userHeldBy({ name, kind: 'text', rules })

test('a field is known to hold users by its reference or its name', () => {
  const users = { entity: 'EngineUsers', field: 'userId' }
  expect(text('lead', { reference: users })).toBe('id')
  expect(text('lead', { reference: { ...users, field: 'email' } })).toBe('email')
  for (const name of ['assignee', 'userId', 'ownerId', 'task_owner', 'approvedBy', 'Author'])
    expect(text(name), name).toBe('id')
  for (const name of ['CreatedBy', 'LastUpdatedBy']) expect(text(name), name).toBe('email')
})

test('others hold none', () => {
  for (const name of ['name', 'username', 'authority', 'standby', 'by'])
    expect(text(name), name).toBeUndefined()
  expect(text('owner', { reference: { entity: 'Person', field: 'id' } })).toBeUndefined()
  expect(text('author', { enum: ['a'] })).toBeUndefined()
  expect(userHeldBy({ name: 'ownerId', kind: 'integer', rules: {} })).toBeUndefined()
})
