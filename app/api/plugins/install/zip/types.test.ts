import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { install, verdicts } from '../../testing/plugin-api'
import { deps, FIXED } from '../../testing/reference-plugins'
import { CODE, property, typed } from '../../testing/typed'

describe('EngineTypes', () => {
  test('are types for schemas of the same archive, wherever their folder is', async () => {
    const good = await install(
      deps,
      typed([CODE], property('airportcode'), [{ id: '1', v: 'LSZH' }]),
    )
    expect(verdicts(good.logs)).toEqual({
      'Z_types/types.json': 'created',
      'EngineSchemas/E.json': 'created',
      'EngineEntities/E.json': 'created',
      'E/data.json': 'created',
    })
    const bad = await install(
      deps,
      typed([CODE], property('AirportCode'), [{ id: '2', v: 'lszh' }]),
    )
    expect(bad.logs.at(-1)).toMatchObject({
      error: 'Invalid record',
      details: [{ index: 0, pointer: '/v' }],
    })
  })

  test('can be based on each other, and are available to later archives', async () => {
    const types = [
      { name: 'HomeCode', baseType: 'AirportCode', meta: { enum: ['LSZH', 'LSGG'] } },
      CODE,
    ]
    await install(deps, typed(types, property('HomeCode'), [{ id: '1', v: 'LSGG' }]))
    const later = pluginFiles(
      {
        EngineSchemas: { files: { 'F.json': { name: 'F', properties: property('HomeCode') } } },
        EngineEntities: { files: { 'F.json': { name: 'F', pks: FIXED } } },
        F: { files: { 'good.json': { id: '1', v: 'LSZH' }, 'bad.json': { id: '2', v: 'EDDF' } } },
      },
      { id: 'com.example.later' },
    )
    expect(verdicts((await install(deps, later)).logs)).toMatchObject({
      'F/good.json': 'created',
      'F/bad.json': 'Invalid record',
    })
  })

  test('that are identical the second time are unchanged, and updated when not', async () => {
    const files = typed([CODE], property('AirportCode'), [])
    await install(deps, files)
    expect((await install(deps, files)).logs[0]).toMatchObject({ status: 'unchanged' })
    const wider = { ...CODE, meta: { pattern: '^[A-Z]{3,4}$' } }
    const { logs } = await install(
      deps,
      typed([wider], property('AirportCode'), [{ id: '1', v: 'ZRH' }]),
    )
    expect(verdicts(logs)).toMatchObject({
      'Z_types/types.json': 'updated',
      'EngineSchemas/E.json': 'updated',
      'E/data.json': 'created',
    })
  })
})
