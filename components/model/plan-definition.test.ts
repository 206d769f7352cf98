import { expect, test } from 'vitest'
import { editedDefinition } from './plan-definition'

const CLERKS = { name: 'clerks', principals: ['Clerk'], actions: ['*'], priority: 3, note: 'x' }
const FORM = { name: 'clerks', principals: ['Clerk'], actions: ['read', 'write'], where: null }

test('what was not edited in a form stays as it is written', () => {
  const edit = (values: object) =>
    editedDefinition(CLERKS, { former: FORM, values: { ...FORM, ...values } })
  expect(edit({})).toEqual(CLERKS)
  expect(edit({ principals: ['Clerk', 'Buyer'] })).toEqual({
    ...CLERKS,
    principals: ['Clerk', 'Buyer'],
  })
  expect(edit({ where: [{ field: 'n' }], actions: null })).toEqual({
    ...{ name: 'clerks', principals: ['Clerk'], priority: 3, note: 'x' },
    where: [{ field: 'n' }],
  })
})
