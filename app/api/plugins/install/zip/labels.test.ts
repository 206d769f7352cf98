import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { install } from '../../testing/plugin-api'

const deps = freshDeps()

const plugin = (labels: object) =>
  pluginFiles({ EngineEntities: { files: { 'Thing.json': { name: 'Thing' } } } }, labels)

test.each([
  [{ name: ' Shop ' }, 'Shop', '"name" is taken as "Shop", without its outer spaces'],
  [{ name: ' ' }, 'com.example.shop', '"name" is blank, so the plugin is called by its id'],
  [{ version: '1.0 ' }, 'Shop', '"version" is taken as "1.0"'],
  [{ name: 'My Shop' }, 'My Shop', null],
])('the labels %j of a plugin are trimmed, and the log says so', async (labels, name, warning) => {
  const { body, logs } = await install(deps, plugin(labels))
  expect(body.data.pluginName).toBe(name)
  expect(logs[0]?.warnings.map(({ message }) => message)).toEqual(
    warning === null ? [] : [expect.stringContaining(warning)],
  )
})

test('names and targets are trimmed, misspelt dependencies passed over, and the log says so', async () => {
  const files = pluginFiles({
    EngineRoles: {
      manifest: { target: ' EngineRoles', depends: ['Thing'] },
      files: { 'r.json': { name: 'Clerk ' } },
    },
  })
  const { logs } = await install(deps, files)
  expect(logs[0]?.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('"target" is taken as "EngineRoles", without its outer spaces'),
    expect.stringContaining('"depends" is ignored; did you mean "dependencies"?'),
    '"name" is taken as "Clerk", without its outer spaces',
  ])
})

test('outer spaces of dependencies and of the names in an entity are trimmed, and the log says so', async () => {
  const files = pluginFiles({
    EngineEntities: {
      files: {
        'p.json': { name: 'Places', dbTable: 'places\n' },
        't.json': { name: 'Towns', engineSchema: ' ', dbSchema: ' entities' },
      },
    },
    Towns: {
      manifest: { target: 'Towns', dependencies: ['Places', ' Places '] },
      files: { '1.json': { id: 1 } },
    },
  })
  const { status, logs } = await install(deps, files)
  expect(status).toBe(200)
  expect(logs.map(({ path, status, warnings }) => [path, status, warnings])).toEqual([
    [
      'EngineEntities/p.json',
      'created',
      [{ index: 0, pointer: '/dbTable', message: expect.stringContaining('is taken as "places"') }],
    ],
    [
      'EngineEntities/t.json',
      'created',
      [
        { index: 0, pointer: '/engineSchema', message: expect.stringContaining('is taken as ""') },
        { index: 0, pointer: '/dbSchema', message: expect.stringContaining('"entities"') },
      ],
    ],
    [
      'Towns/1.json',
      'created',
      [
        {
          pointer: '/dependencies/1',
          message:
            'Towns/__manifest__.json: "dependencies[1]" is taken as "Places", without its outer spaces',
        },
      ],
    ],
  ])
})
