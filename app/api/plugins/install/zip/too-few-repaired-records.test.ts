import { describe, expect, test } from 'vitest'
import { tableColumns } from '@/lib/testing/define'
import { checkDryRun } from '../../testing/check-dry-run'
import { install, verdicts } from '../../testing/plugin-api'
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

const DATA = 'Thing/data.json'

const tier = (...values: string[]) => text('tier', { enum: values })

const v1 = () =>
  version({
    properties: [tier('gold', 'silver', 'bronze'), integer('n')],
    records: [
      { id: 1, tier: 'gold', n: 1 },
      { id: 2, tier: 'bronze', n: 2 },
    ],
  })

describe.each(['partial', 'atomic'] as const)(
  'a version that repairs the records that its schema contradicts (%s)',
  (mode) => {
    const query = `?mode=${mode}`

    test('changes nothing when it repairs too few', async () => {
      await installed(v1())
      const columns = await tableColumns(deps, 'thing')
      const next = version({
        properties: [tier('gold'), integer('n'), text('added')],
        records: [{ id: 1, n: 7 }],
      })
      const { logs } = await install(deps, next, { query })
      expect(logOf(logs, SCHEMA)).toMatchObject({
        error: 'Incompatible change',
        details: [{ key: 2 }],
        changes: [],
      })
      expect(verdicts(logs)[DATA]).toBe('Missing dependency')
      expect(await tableColumns(deps, 'thing')).toEqual(columns)
      expect(await search()).toMatchObject([{ n: 1 }, { n: 2 }])
      await installed(version({ records: [{ id: 3, tier: 'silver' }] }))
    })

    test('is predicted by a dry run when it repairs too few', async () => {
      const next = version({ properties: [tier('gold')], records: [{ id: 3, tier: 'gold' }] })
      const files = await checkDryRun(deps, v1(), next, mode)
      expect(files[0]?.error).toBe('Incompatible change')
    })
  },
)
