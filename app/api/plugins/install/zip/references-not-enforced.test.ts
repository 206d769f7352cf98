import { describe, expect, test } from 'vitest'
import { install, verdicts } from '../../testing/plugin-api'
import { dataPaths, deps, plugin } from '../../testing/reference-plugins'

describe('references', () => {
  test('in a cycle of entities are installed, and noted as not enforced', async () => {
    const { body, logs } = await install(
      deps,
      plugin({
        Person: { refers: { team: 'Team' }, data: [{ id: 'ann', team: 'red' }] },
        Team: { refers: { lead: 'Person' }, data: [{ id: 'red', lead: 'ann' }] },
      }),
    )
    expect({ body, verdicts: verdicts(logs) }).toMatchObject({ body: { data: { failedCount: 0 } } })
    expect(logs.flatMap(({ changes }) => changes).join('\n')).toMatch(/refer to each other/)
    expect(dataPaths(logs)).toEqual(['Person/data.json', 'Team/data.json'])
  })

  test('to an entity that no plugin has are values like others until it comes', async () => {
    const regions = plugin({
      Region: { refers: { country: 'Country' }, data: [{ id: 'ZH', country: 'CH' }] },
    })
    const { body, logs } = await install(deps, regions)
    expect(body.data.failedCount).toBe(0)
    expect(logs.flatMap(({ changes }) => changes).join('\n')).toMatch(/not enforced/)
    expect(
      (await install(deps, plugin({ Country: { data: [{ id: 'CH' }] } }))).body.data.failedCount,
    ).toBe(0)
    const lost = plugin({
      Region: { refers: { country: 'Country' }, data: [{ id: 'X', country: 'XX' }] },
    })
    expect((await install(deps, lost)).logs.at(-1)?.error).toBe('Missing dependency')
  })
})
