import { beforeEach, expect, test } from 'vitest'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { importsOfUser } from './testing/imports-api'

const deps = freshDeps()

const ODD = '9007199254740993'

beforeEach(() =>
  installTestEntity(deps, {
    entity: { name: 'Sum' },
    schema: {
      properties: [
        { name: 'whole', type: 'integer' },
        { name: 'near', type: 'float', meta: { max: 10 } },
      ],
    },
  }),
)

const GROUPS = [
  { rule: 'max', field: 'whole', value: ODD },
  { rule: 'max', field: 'near', value: '40.712775999999998' },
]
const JSON_TEXT = `{"id":1,"whole":${ODD},"near":40.712775999999998}`

test.each([
  ['CSV', `id,whole,near\n1,${ODD},40.712775999999998\n`, 's.csv'],
  ['JSON', `[${JSON_TEXT}]`, 's.json'],
  ['JSON Lines', `${JSON_TEXT}\n`, 's.jsonl'],
])('a fault of an import of %s shows the number of the file', async (_, file, fileName) => {
  const mine = await importsOfUser(deps)
  const sent = { entityName: 'Sum', fileName }
  const { body } = await mine.preview(file, sent)
  expect(body.data[0].groups).toMatchObject(GROUPS)
  const done = await mine.result(file, sent)
  expect(done).toMatchObject({ refused: 1, groups: GROUPS })
  expect((await mine.refused(done.id)).text).toContain(ODD)
})

test('other spellings of a number are shown as its digits, and read as it', async () => {
  const mine = await importsOfUser(deps)
  const file = `whole,near\n+${ODD},.5\n7.0,+1e0\n`
  const done = await mine.result(file, { entityName: 'Sum', query: 'partial=true' })
  expect(done).toMatchObject({ created: 1, groups: [{ field: 'whole', value: ODD }] })
})

test('a fault in the log of a plugin shows the number of the file', async () => {
  const { logs } = await install(
    deps,
    pluginFiles({ Sum: { files: { 'data.json': `[${JSON_TEXT}]` } } }),
  )
  expect(logs.map(({ details }) => details)).toMatchObject([
    [
      { pointer: '/whole', value: ODD },
      { pointer: '/near', value: '40.712775999999998' },
    ],
  ])
})
