import { describe, expect, test } from 'vitest'
import { deps, foreignKeys, people } from '../../testing/composite-references'
import { install } from '../../testing/plugin-api'

describe('a reference by several fields', () => {
  test.each([
    [
      { entity: 'City', field: 'code', with: { country: 'zone' } },
      'code, zone of City are not unique together',
    ],
    [{ entity: 'City', field: 'name', with: { land: 'country' } }, 'Person has no field land'],
    [{ entity: 'City', field: 'name', with: { country: 'land' } }, 'City has no field land'],
    [{ entity: 'City', field: 'name' }, 'City.name is not unique'],
  ])('%j is not enforced, and the log says why', async (reference, reason) => {
    const { logs } = await install(deps, people({ reference }))
    expect(JSON.stringify(logs)).toContain(`The reference of city is not enforced: ${reason}`)
    expect(await foreignKeys()).toEqual([])
  })
})
