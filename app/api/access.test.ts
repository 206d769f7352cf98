import { expect, test } from 'vitest'
import { ROWS, routesOf } from './testing/access'

test('every route has its row, and every row its route', async () => {
  const routes = await routesOf(() => true)
  expect(Object.keys(ROWS).sort()).toEqual(routes.map(({ name }) => name).sort())
})
