import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { install, verdicts } from '../../testing/plugin-api'
import { dataPaths, deps, FIXED, notesOf, plugin, stored } from '../../testing/reference-plugins'

describe('what is said of references', () => {
  const enforced = 'Require entities.ea.eb to refer to entities.eb.id'

  test('is final: nothing about one whose target is later in the archive', async () => {
    const { logs } = await install(deps, plugin({ Ea: { refers: { eb: 'Eb' } }, Eb: {} }))
    expect(notesOf(logs)).toEqual([['EngineEntities/Eb.json', enforced]])
  })

  test('names types that do not compare, once both sides exist', async () => {
    const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
    const { logs } = await install(deps, plugin({ Ea: { refers: { eb: 'Eb' } }, Eb: { pks } }))
    expect(notesOf(logs)).toEqual([
      [
        'EngineEntities/Eb.json',
        'The reference of Ea.eb is not enforced: eb is string but Eb.id is decimal',
      ],
    ])
  })

  test('waits for what changes later in the same archive', async () => {
    const field = (type: string) => ({
      EngineSchemas: {
        files: {
          'Q.json': {
            name: 'Q',
            properties: [{ name: 'r', type, meta: { reference: { entity: 'P', field: 'id' } } }],
          },
        },
      },
    })
    const both = (type: string) =>
      pluginFiles({
        EngineEntities: {
          files: {
            'P.json': { name: 'P', pks: [{ key: 'id', strategy: 'Fixed', type }] },
            'Q.json': { name: 'Q', pks: FIXED },
          },
        },
        ...field(type === 'number' ? 'decimal' : type),
      })
    await install(deps, both('number'))
    expect(notesOf((await install(deps, both('string'))).logs)).toEqual([
      ['EngineSchemas/Q.json', 'No longer require entities.q.r to refer to entities.p.id'],
      ['EngineEntities/P.json', 'Require entities.q.r to refer to entities.p.id'],
    ])
    // An unchanged target causes no later note.
    const { logs } = await install(deps, pluginFiles(field('decimal')))
    expect(notesOf(logs)[0]).toEqual([
      'EngineSchemas/Q.json',
      'The reference of r is no longer enforced: r is decimal but P.id is string',
    ])
  })

  test('is noted for both sides of a cycle, and for targets in no archive', async () => {
    const { logs } = await install(
      deps,
      plugin({ Ea: { refers: { eb: 'Eb', ec: 'Ec' } }, Eb: { refers: { ea: 'Ea' } } }),
    )
    expect(notesOf(logs)).toEqual([
      ['EngineEntities/Ea.json', 'The reference of ec is not enforced: Ec is not installed'],
      [
        'EngineEntities/Eb.json',
        'The reference of Ea.eb is not enforced: Ea and Eb refer to each other',
      ],
      [
        'EngineEntities/Eb.json',
        'The reference of ea is not enforced: Eb and Ea refer to each other',
      ],
    ])
  })
})

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
