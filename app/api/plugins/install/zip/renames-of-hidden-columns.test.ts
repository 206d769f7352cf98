import { describe, expect, test } from 'vitest'
import { install } from '../../testing/plugin-api'
import { renamed, v1, v2 } from '../../testing/renamed-properties'
import {
  deps,
  installed,
  integer,
  logOf,
  SCHEMA,
  search,
  text,
  version,
} from '../../testing/versions'

describe('a property with renamedFrom', () => {
  test('takes over what an earlier version hid, unless both have values', async () => {
    await installed(v1())
    await installed(version({ properties: [text('organisation'), integer('n')] }))
    expect(await search()).toMatchObject([{ organisation: null }, { organisation: null }])
    await installed(v2())
    expect(await search()).toEqual(renamed)

    await installed(
      version({ properties: [text('firm'), integer('n')], records: [{ id: 1, firm: 'c' }] }),
    )
    const { logs } = await install(
      deps,
      version({ properties: [text('firm', { renamedFrom: 'organisation' }), integer('n')] }),
    )
    expect(logOf(logs, SCHEMA)).toMatchObject({
      error: 'Incompatible change',
      details: [
        {
          message: expect.stringMatching(
            /^organisation has 2 values and firm has 1 value, so firm cannot/,
          ),
        },
      ],
    })
    expect(await search()).toMatchObject([{ firm: 'c' }, { firm: null }])
  })

  test('takes over undeclared values', async () => {
    await installed(version({ properties: [integer('n')], records: [{ id: 1, company: 'a' }] }))
    await installed(v2())
    expect(await search()).toEqual([{ id: 1, organisation: 'a', n: null }])
  })
})
