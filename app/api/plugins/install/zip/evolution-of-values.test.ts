import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { install, verdicts } from '../../testing/plugin-api'
import { deps, installed, logOf, SCHEMA, text, version } from '../../testing/versions'

describe('a new version', () => {
  test('that requires what may be empty finds empty texts of a format', async () => {
    const phone = (meta: object) => ({ name: 'v', type: 'phone', meta })
    await installed(version({ properties: [phone({})], records: [{ id: 1, v: '' }] }))
    await installed(version({ properties: [text('v')] }))
    await installed(version({ properties: [phone({})] }))
    const { logs } = await install(deps, version({ properties: [phone({ required: true })] }))
    expect(logOf(logs, SCHEMA)).toMatchObject({
      error: 'Incompatible change',
      details: [{ key: 1, value: '', message: 'v must be a phone number' }],
    })
  })

  test('may forbid undeclared fields only where there are none', async () => {
    await installed(version({ properties: [text('a')], records: [{ id: 1, extra: 1 }] }))
    const closed = { properties: [text('a')], schema: { additionalProperties: false } }
    expect(verdicts((await install(deps, version(closed))).logs)[SCHEMA]).toBe(
      'Incompatible change',
    )
    await deps.db.execute(sql`delete from entities.thing`)
    await installed(version(closed))
    const { logs } = await install(deps, version({ records: [{ id: 1, extra: 1 }] }))
    expect(logOf(logs, 'Thing/data.json')).toMatchObject({ error: 'Invalid record' })
  })
})
