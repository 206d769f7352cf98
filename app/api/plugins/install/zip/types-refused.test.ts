import { describe, expect, test } from 'vitest'
import { install, verdicts } from '../../testing/plugin-api'
import { deps } from '../../testing/reference-plugins'
import { property, typed } from '../../testing/typed'

describe('EngineTypes', () => {
  test.each<[string, object[], string, string]>([
    [
      'without a base',
      [{ name: 'T', baseType: 'Nowhere' }],
      'Missing dependency',
      'Invalid definition',
    ],
    [
      'that is based on itself',
      [{ name: 'T', baseType: 'T' }],
      'Invalid definition',
      'Invalid definition',
    ],
    [
      'in a cycle',
      [
        { name: 'T', baseType: 'U' },
        { name: 'U', baseType: 'T' },
      ],
      'Invalid definition',
      'Invalid definition',
    ],
    [
      'with the name of a built-in one',
      [{ name: 'string', baseType: 'integer' }],
      'Invalid definition',
      'created',
    ],
  ])('%s fail, and the other files say what follows', async (_, types, own, schema) => {
    const name = types.length > 0 && (types[0] as { name: string }).name
    const { logs } = await install(
      deps,
      typed(types, property(String(name)), [{ id: '1', v: 'x' }]),
    )
    expect(verdicts(logs)).toMatchObject({
      'Z_types/types.json': own,
      'EngineSchemas/E.json': schema,
    })
  })
})
