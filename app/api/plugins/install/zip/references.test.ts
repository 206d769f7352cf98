import { describe, expect, test } from 'vitest'
import { install, verdicts } from '../../testing/plugin-api'
import { dataPaths, deps, plugin, stored } from '../../testing/reference-plugins'

describe('references', () => {
  test('bring the data they need first, whatever the paths say', async () => {
    const { body, logs } = await install(
      deps,
      plugin({
        Airport: { refers: { region: 'Region' }, data: [{ id: 'LSZH', region: 'ZH' }] },
        Country: { data: [{ id: 'CH' }] },
        Region: { refers: { country: 'Country' }, data: [{ id: 'ZH', country: 'CH' }] },
      }),
    )
    expect(body.data.failedCount).toBe(0)
    expect(dataPaths(logs)).toEqual(['Country/data.json', 'Region/data.json', 'Airport/data.json'])
  })

  test('and dependencies decide together', async () => {
    const { logs } = await install(
      deps,
      plugin({
        A: { data: [{ id: '1' }], manifest: { dependencies: ['C'] } },
        B: { data: [{ id: '1' }], refers: { a: 'A' } },
        C: { data: [{ id: '1' }] },
      }),
    )
    expect(dataPaths(logs)).toEqual(['C/data.json', 'A/data.json', 'B/data.json'])
  })

  test('to records that are nowhere fail the file, naming index and value', async () => {
    const { logs } = await install(
      deps,
      plugin({
        Country: { data: [{ id: 'CH' }] },
        Region: {
          refers: { country: 'Country' },
          data: [
            { id: 'ZH', country: 'CH' },
            { id: 'X', country: 'Nowhere' },
            { id: 'Y', country: null },
            { id: 'Z', country: 'Lost' },
          ],
        },
      }),
    )
    const failed = logs.find(({ path }) => path === 'Region/data.json')
    expect(failed).toMatchObject({
      status: 'failed',
      error: 'Missing dependency',
      detailCount: 2,
      details: [
        {
          index: 1,
          pointer: '/country',
          value: 'Nowhere',
          message: expect.stringContaining('Country'),
        },
        { index: 3, pointer: '/country', value: 'Lost' },
      ],
      records: { created: 0, updated: 0, unchanged: 0, failed: 2 },
    })
    expect(await stored('region')).toEqual([])
    expect(await stored('country')).toHaveLength(1)
  })

  test('of an entity to itself can be in any order within a file', async () => {
    const employees = (boss: string) =>
      plugin({
        Employee: {
          refers: { boss: 'Employee' },
          data: [
            { id: 'a', boss: 'b' },
            { id: 'b', boss: 'c' },
            { id: 'c', boss },
          ],
        },
      })
    expect((await install(deps, employees('missing'))).logs.at(-1)).toMatchObject({
      error: 'Missing dependency',
      details: [{ index: 2, value: 'missing' }],
    })
    expect((await install(deps, employees('c'))).body.data.failedCount).toBe(0)
    expect(await stored('employee')).toHaveLength(3)
  })

  test('to an entity that fails fail with it, and others are installed', async () => {
    const files = {
      ...plugin({
        Country: { data: [{ id: 'CH' }] },
        Region: { refers: { country: 'Country' }, data: [{ id: 'ZH', country: 'CH' }] },
        Other: { data: [{ id: '1' }] },
      }),
      'Country/data.json': '[{"id":',
    }
    expect(verdicts((await install(deps, files)).logs)).toMatchObject({
      'Country/data.json': 'Invalid JSON',
      'Region/data.json': 'Missing dependency',
      'Other/data.json': 'created',
    })
  })
})
