import { test as always, expect } from 'vitest'
import { importsOfUser } from '@/app/api/imports/testing/imports-api'
import { install, verdicts } from '@/app/api/plugins/testing/plugin-api'
import { findEntity } from '@/lib/registry/registry'
import { pluginFiles } from '@/lib/testing/archive'
import { testsOnCitus } from '@/lib/testing/deps'
import { insertTestRecords } from '@/lib/testing/entity'
import { change, create, deps, find } from './testing/films'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

const LISTED =
  'is a list of linked records, which files do not write: bring records of the link instead'
const film = async () => findEntity(deps, 'Film')

test('imports do not make a field of the name of a list', async () => {
  const mine = await importsOfUser(deps)
  const send = (file: string, mapping?: object) =>
    mine.send(file, { entityName: 'Film', query: 'mode=create', ...(mapping ? { mapping } : {}) })
  for (const [answer, field, error] of [
    [await send('id,tags\n9,a\n'), 'mapping.tags', `The column "tags" ${LISTED}; map it`],
    [
      await send('id,labels\n9,a\n', { id: 'id', labels: 'tags' }),
      'mapping.labels',
      `"tags" ${LISTED}`,
    ],
  ] as const) {
    expect(answer.status).toBe(400)
    expect(answer.body.validations).toMatchObject([
      { field, error: expect.stringContaining(error) },
    ])
  }
  const left = await mine.result('id,tags\n9,a\n', {
    entityName: 'Film',
    mapping: { id: 'id', tags: null },
  })
  expect([left.status, (await film()).extraFields]).toEqual(['DONE', []])
})

test('data files do not, either, and their report names the record', async () => {
  const records = [{ id: 8 }, { id: 9, tags: ['a'] }]
  const files = pluginFiles({
    Film: { manifest: { target: 'Film' }, files: { 'data.json': records } },
  })
  const { logs } = await install(deps, files)
  expect(verdicts(logs)).toMatchObject({ 'Film/data.json': 'Invalid record' })
  const report = logs.find(({ path }) => path === 'Film/data.json')
  expect(report?.details).toMatchObject([{ index: 1, pointer: '/tags', message: LISTED }])
  expect((await find({ query: [{ field: 'id', operator: 'gte', value: 8 }] })).body.data).toEqual(
    [],
  )
})

test('a list whose name records have already gets its long one', async () => {
  await insertTestRecords(deps, await film(), [{ id: 7, tags: 'old' }])
  expect((await create({ id: 8, tags: 'as before', FilmTagByFilmToTag: ['c'] })).status).toBe(201)
  expect((await change(7, { FilmTagByFilmToTag: { add: ['a'] } })).status).toBe(200)
  const query = [{ field: 'FilmTagByFilmToTag', operator: 'some' }]
  const { body } = await find({ query, fields: ['id', 'tags', 'FilmTagByFilmToTag.$count'] })
  expect(body.data.slice(-2)).toEqual([
    { id: 7, tags: 'old', 'FilmTagByFilmToTag.$count': 1 },
    { id: 8, tags: 'as before', 'FilmTagByFilmToTag.$count': 1 },
  ])
})
