import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { statementsOf } from '@/lib/testing/count-round-trips'
import { testsOnCitus } from '@/lib/testing/deps'
import { deps } from '../../testing/books'
import { type Files, upload } from '../../testing/plugin-api'

const KEY = [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]

/** A schema, an entity and two records without a key. */
function shelf(version: string, ...fields: string[]): Files {
  const properties = fields.map((name) => ({ name, type: 'text' }))
  const insertDuplicate = version === '1' ? 'Error' : 'Upsert'
  const entity = { name: 'Shelf', pks: KEY, insertDuplicate }
  return pluginFiles(
    {
      EngineSchemas: { files: { 'Shelf.json': { name: 'Shelf', properties } } },
      EngineEntities: { files: { 'Shelf.json': entity } },
      Shelf: { files: { 'data.json': [{ name: 'a' }, { name: 'b' }] } },
    },
    { version },
  )
}

/** Announcements, and looks whether the install goes on: as many as it takes time. */
const OF_TIME = /pg_notify|^select "id", "kind"|"engine"."api_keys"/

/** To be changed by who makes them fewer, or needs more; the core alone needs fewer. */
const MOST = { dryRun: 127, first: 74, upgrade: 82, atomic: 72 }

test.skipIf(testsOnCitus())(
  'an install sends few statements, and so do upgrades and dry runs',
  async () => {
    const sent = async (files: Files, query = '') => {
      let response: Awaited<ReturnType<typeof upload>> | undefined
      const statements = await statementsOf(deps, async () => {
        response = await upload(deps, files, { query })
      })
      expect(response?.body.data.plan ?? response?.body.data).toMatchObject({ successCount: 3 })
      return statements.filter((text) => !OF_TIME.test(text)).length
    }
    const dryRun = await sent(shelf('1', 'name'), '?dryRun=true')
    const first = await sent(shelf('1', 'name'))
    const upgrade = await sent(shelf('2', 'name', 'note'))
    const atomic = await sent(shelf('3', 'name', 'note', 'place'), '?mode=atomic')
    for (const [name, count] of Object.entries({ dryRun, first, upgrade, atomic }))
      expect(count, name).toBeLessThanOrEqual(MOST[name as keyof typeof MOST])
  },
)
