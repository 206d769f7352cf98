import { expect, test } from 'vitest'
import { install } from './plugin-api'
import { deps, installed, logOf, SCHEMA, search, text, version } from './versions'

const DATA = 'Thing/data.json'
const NOTE =
  'Checked after the data files of its entities, since stored records contradicted it before'

/** A property with these values. */
export const tier = (...values: string[]) => text('tier', { enum: values })

type Case = [
  what: string,
  before: object,
  records: object[],
  after: object,
  repaired: object[],
  found: unknown[],
]

const more = { name: 'more', type: 'string', required: true, default: 'm' }

/** A test of each case: a version whose schema contradicts stored records, and which repairs them. */
export const testRepairs = (mode: 'partial' | 'atomic', cases: Case[]) =>
  test.each(cases)(
    'by %s is installed at once',
    async (_, before, records, after, repaired, found) => {
      await installed(
        version({ properties: [before], schema: { additionalProperties: false }, records }),
      )
      const next = version({
        properties: [after, more],
        schema: { additionalProperties: false },
        records: repaired.map((one) => ({ ...one, more: 'x' })),
      })
      const { logs, body } = await install(deps, next, { query: `?mode=${mode}` })
      expect(logs.filter(({ status }) => status === 'failed')).toEqual([])
      expect(body.data).toMatchObject({ failedCount: 0 })
      expect(logs.map(({ path }) => path)).toEqual([SCHEMA, 'EngineEntities/Thing.json', DATA])
      expect(logOf(logs, SCHEMA)?.changes.at(-1)).toBe(NOTE)
      expect((await search()).map((record: { tier: unknown }) => record.tier)).toEqual(found)
      const again = await installed(next)
      expect(new Set(again.map(({ status }) => status))).toEqual(new Set(['unchanged']))
    },
  )
