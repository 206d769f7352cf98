import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { install } from '../../testing/plugin-api'
import { deps, FIXED, notesOf, plugin } from '../../testing/reference-plugins'

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
