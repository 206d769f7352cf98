import { expect, test } from 'vitest'
import { can } from '@/lib/auth/rights'
import { holderOf, viewerOf } from './viewer-of'

const where = [{ field: 'secret', operator: 'eq', value: 'token' }]

test('the page learns what may be done, and nothing of what policies hide', () => {
  const viewer = viewerOf({
    ...{ type: 'user', id: 'u', name: 'ann@example.org', userId: 'u', roles: ['Clerk'] },
    ...{ scopes: null, address: null },
    policies: [
      { name: 'own', entities: ['order'], actions: ['read'], allow: true, where, check: where },
      { entities: ['order'], actions: ['read'], allow: false, fields: ['secret'] },
      { entities: ['order'], actions: ['write'], allow: true, set: { secret: 'token' } },
      { entities: ['order'], actions: ['delete'], allow: false },
    ],
  })
  expect(JSON.stringify(viewer)).not.toMatch(/secret|token/)
  const mayDo = (['read', 'write', 'update', 'delete'] as const).filter((action) =>
    can(holderOf(viewer), { entity: 'Order', action }),
  )
  expect(mayDo).toEqual(['read', 'write'])
})
