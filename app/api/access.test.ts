import { expect, test } from 'vitest'
import { ROWS, routes, testAccess } from './testing/access'

test('every route has its row, and every row its route', () => {
  expect(Object.keys(ROWS).sort()).toEqual(routes.map(({ name }) => name).sort())
})

testAccess(routes.filter(({ method }) => method === 'POST'))
