import { describe, expect, test } from 'vitest'
import { install } from '../../testing/plugin-api'
import { deps, type Property, said, shop, text } from '../../testing/said-of-definitions'

const CUSTOMERS = [
  { id: 1, name: 'Ann', company: 'Acme' },
  { id: 2, name: 'Ben', company: 'Bolt' },
]
const GUESS =
  'company is no longer served, 2 values stay hidden; organisation is new and empty. If it is a new name, declare "renamedFrom": "company" for organisation'

describe('a plan says', () => {
  test('that a hidden property and a new, empty one may be one that was renamed', async () => {
    await install(deps, shop([text('name'), text('company')], CUSTOMERS))
    const lines = await said(
      shop([text('name'), { name: 'since', type: 'date' }, text('organisation')]),
    )
    expect(lines).toContain(GUESS)
    expect(lines).toContain('Stop serving company of entities.customer; its 2 values are kept')
  })

  test.each<[string, Property[]]>([
    ['has another type', [{ name: 'organisation', type: 'integer' }]],
    ['has values', [text('organisation', { default: 'none' })]],
    ['says its former name', [text('organisation', { renamedFrom: 'company' })]],
  ])('nothing of the kind when the new property %s', async (_, properties) => {
    await install(deps, shop([text('name'), text('company')], CUSTOMERS))
    const lines = await said(shop([text('name'), ...properties]))
    expect(lines.filter((line) => line.includes('new and empty'))).toEqual([])
  })
})
