import { describe, expect, test } from 'vitest'
import { tableColumns } from '@/lib/testing/define'
import { install, verdicts } from '../../testing/plugin-api'
import { deps, installed, integer, logOf, SCHEMA, text, version } from '../../testing/versions'

describe('a new version', () => {
  test.each<[string, object, object, string]>([
    ['a rule', integer('v'), integer('v', { max: 0 }), 'v must be at most 0'],
    ['a pattern', text('v'), text('v', { pattern: '^x$' }), 'v must match ^x$'],
    ['a type', text('v'), { name: 'v', type: 'boolean' }, 'v cannot become boolean'],
  ])(
    'that contradicts many values by %s reports the first 100 keys and the total',
    async (_, before, after, message) => {
      const isNumber = 'type' in before && before.type === 'integer'
      const records = Array.from({ length: 167 }, (_, id) => ({
        id,
        v: isNumber ? id + 1 : `t${id % 7}`,
      }))
      await installed(version({ properties: [before], records }))
      const { logs } = await install(deps, version({ properties: [after] }))
      const log = logOf(logs, SCHEMA)
      expect(log).toMatchObject({ error: 'Incompatible change', detailCount: 167 })
      expect(log?.details).toHaveLength(100)
      expect(log?.details[0]).toMatchObject({ index: 0, key: 0, message })
      expect(new Set(log?.details.map(({ key }) => key)).size).toBe(100)
    },
  )

  test('in atomic mode changes all or nothing', async () => {
    await installed(version({ properties: [text('v')], records: [{ id: 1, v: 'x' }] }))
    const before = await tableColumns(deps, 'thing')
    const { body, logs } = await install(
      deps,
      version({ properties: [text('v'), text('w')], records: [{ id: 2, w: 5 }] }),
      { query: '?mode=atomic' },
    )
    expect(body.data).toMatchObject({ successCount: 0, failedCount: 3 })
    expect(verdicts(logs)).toMatchObject({
      [SCHEMA]: 'Rolled back',
      'Thing/data.json': 'Invalid record',
    })
    expect(await tableColumns(deps, 'thing')).toEqual(before)
  })
})
