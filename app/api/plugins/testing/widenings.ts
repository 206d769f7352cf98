import { expect, test } from 'vitest'
import { tableColumns } from '@/lib/testing/define'
import { deps, installed, logOf, SCHEMA, search, version } from './versions'

type Widening = [
  what: string,
  before: object,
  value: unknown,
  after: object,
  expected: unknown,
  column: string,
]

/** A test of each case: a version gives a property a wider type. */
export const testWidenings = (cases: Widening[]) =>
  test.each(cases)(
    'widens %s and keeps what is stored',
    async (_, before, value, after, expected, column) => {
      await installed(version({ properties: [before], records: [{ id: 1, v: value }] }))
      const logs = await installed(version({ properties: [after] }))
      expect(logOf(logs, SCHEMA)?.status).toBe('updated')
      expect(await search()).toEqual([{ id: 1, v: expected }])
      expect((await tableColumns(deps, 'thing')).v).toContain(column)
    },
  )
