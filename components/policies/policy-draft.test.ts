import { expect, test } from 'vitest'
import type { ColumnDescription } from '@/lib/tables/column-contract'
import { denialOf, draftOf, newDraft, policyOf, withField, withLater } from './policy-draft'
import type { Policy } from './policy-queries'

const column = (name: string, kind: ColumnDescription['kind'] = 'text'): ColumnDescription => ({
  ...{ name, kind, label: null, description: null, type: kind, key: false },
  ...{ declared: true, hidden: false, operators: [], rules: {} },
})
const COLUMNS = [column('branch'), column('total', 'integer'), column('open', 'boolean')]
const CELL = { role: 'Clerk', entity: 'Order', action: 'read' } as const
const STORED: Policy = {
  ...{ id: 'p', name: 'Orders', plugin: 'shop', invalid: null, priority: 0 },
  ...{ createdAt: '', updatedAt: '', principals: ['Clerk'], entities: ['Order'] },
  ...{ actions: ['*'], allow: true, where: [{ field: 'branch', operator: 'eq', value: 'N' }] },
  ...{ fields: { except: ['total'] }, set: { branch: '$me.profile.branch' } },
}

test('a new policy allows what the cell is about, under a name of its own', () => {
  const draft = newDraft(CELL, [{ ...STORED, name: 'clerk: READ order' }])
  expect(policyOf(draft, COLUMNS)).toEqual({
    ...{ name: 'Clerk: read Order 2', description: null, principals: ['Clerk'] },
    ...{ entities: ['Order'], actions: ['read'], allow: true },
    ...{ where: null, fields: null, set: null, check: null },
  })
})

test('a stored policy comes out of the form as it went in, its actions by name', () => {
  expect(policyOf(draftOf(STORED), COLUMNS)).toMatchObject({
    ...{ id: 'p', where: STORED.where, fields: STORED.fields, set: STORED.set, check: null },
    actions: ['read', 'write', 'update', 'delete'],
  })
})

test('what plugins allow is denied here by the same actions, and nothing is forced by it', () => {
  const denial = policyOf({ ...denialOf(STORED, CELL, []), set: draftOf(STORED).set }, COLUMNS)
  expect(denial).toMatchObject({ name: 'Clerk: not “Orders”', allow: false, set: null })
  expect(denial.actions).toHaveLength(4)
})

test('an empty condition on written records is one of its own, an empty one on rows is none', () => {
  const empty = { operator: 'and' as const, filters: [] }
  const draft = { ...newDraft({ ...CELL, action: 'write' }, []), where: empty, check: empty }
  expect(policyOf(draft, COLUMNS)).toMatchObject({ where: null, check: [] })
})

test('forced values are of the kinds of their fields; those of the person stay as they are', () => {
  const set = [
    { field: 'total', value: '5' },
    { field: 'open', value: true },
    { field: 'branch', value: '$me' },
    { field: '', value: 'x' },
  ]
  const policy = policyOf({ ...newDraft({ ...CELL, action: 'write' }, []), set }, COLUMNS)
  expect(policy.set).toEqual({ total: 5, open: true, branch: '$me' })
})

test('fields are chosen one by one, with or without those that come later', () => {
  expect(withField({ except: [] }, 'total', false)).toEqual({ except: ['total'] })
  expect(withField({ except: ['total'] }, 'total', true)).toEqual({ except: [] })
  expect(withField(['branch'], 'total', true)).toEqual(['branch', 'total'])
  const names = COLUMNS.map(({ name }) => name)
  expect(withLater({ except: ['total'] }, false, names)).toEqual(['branch', 'open'])
  expect(withLater(['branch', 'open'], true, names)).toEqual({ except: ['total'] })
})
