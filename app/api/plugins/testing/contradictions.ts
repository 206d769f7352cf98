import { expect, test } from 'vitest'
import { tableColumns } from '@/lib/testing/define'
import { install, verdicts } from './plugin-api'
import { deps, ENTITY, installed, integer, logOf, SCHEMA, search, version } from './versions'

type Contradiction = [what: string, before: object, stored: unknown, after: object]

/** A test of each case: a version asks for something that a stored value contradicts. */
export const testContradictions = (cases: Contradiction[]) =>
  test.each(cases)(
    'that asks for %s which a stored one contradicts fails, and its data with it',
    async (_, before, value, after) => {
      const records = [
        { id: 1, v: value },
        { id: 2, v: value },
      ]
      await installed(version({ properties: [before], records }))
      const columns = await tableColumns(deps, 'thing')
      const stored = await search()
      const { status, body, logs } = await install(
        deps,
        version({
          properties: [after, integer('more')],
          records: [{ id: 3, v: null }],
          entity: { description: 'new' },
        }),
      )
      expect(status).toBe(200)
      expect(body.message).toContain('in part')
      expect(verdicts(logs)).toEqual({
        [SCHEMA]: 'Incompatible change',
        [ENTITY]: 'updated',
        'Thing/data.json': 'Missing dependency',
      })
      expect(logOf(logs, SCHEMA)?.details[0]).toMatchObject({
        key: expect.anything(),
        message: expect.any(String),
      })
      expect(await tableColumns(deps, 'thing')).toEqual(columns)
      expect(await search()).toEqual(stored)
    },
  )
