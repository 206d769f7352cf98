import { expect, test } from 'vitest'
import { exportPlugin } from '@/app/api/plugins/testing/export-api'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { deps } from '@/app/api/plugins/testing/versions'
import { pluginFiles } from '@/lib/testing/archive'

const ID = 'com.example.films'
const key = (key: string) => [{ key, strategy: 'Fixed', type: 'string' }]
const to = (entity: string, inverse: string) => ({ reference: { entity, field: 'code', inverse } })

const FILMS = pluginFiles(
  {
    EngineSchemas: {
      files: {
        'FilmTag.json': {
          name: 'FilmTag',
          properties: [
            { name: 'film', type: 'string', meta: to('Film', 'tags') },
            { name: 'tag', type: 'string', meta: to('Tag', 'films') },
          ],
        },
      },
    },
    EngineEntities: {
      files: {
        'Film.json': { name: 'Film', pks: key('code') },
        'FilmTag.json': { name: 'FilmTag', link: true },
        'Tag.json': { name: 'Tag', pks: key('code') },
      },
    },
  },
  { id: ID },
)

test('an exported link is one where it is installed again', async () => {
  await install(deps, FILMS)
  const { files, bytes } = await exportPlugin(deps, ID)
  const written = (path: string) => JSON.parse(files[path] ?? '')
  expect(written('EngineEntities/FilmTag.json')).toMatchObject({ name: 'FilmTag', link: true })
  expect(written('EngineEntities/Film.json')).not.toHaveProperty('link')
  const properties = [{ meta: to('Film', 'tags') }, { meta: to('Tag', 'films') }]
  expect(written('EngineSchemas/FilmTag.json')).toMatchObject({ properties })
  const { logs } = await install(deps, bytes)
  expect(logs.filter(({ status }) => status === 'failed')).toEqual([])
})
